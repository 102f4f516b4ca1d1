const FRAME_MS = 200;
const LINE_START = '\r\u001b[K';

/** Terminal that shows the progress. `screen` is absent if the output is a pipe or a file. */
interface ProgressOutput {
  readonly out: (text: string) => void;
  readonly screen?: { readonly write: (text: string) => unknown };
}

/**
 * Prints one line for each transferred table. On a terminal, also shows the progress of the current table in a line
 * that is redrawn at most every 200 ms.
 */
export class TransferProgress {
  rows = 0;
  tables = 0;
  private table = { name: '', total: 0, done: 0, begunAt: 0, shownAt: 0 };

  /** @param now returns monotonic time in milliseconds */
  constructor(
    private readonly terminal: ProgressOutput,
    private readonly now: () => number = () => performance.now(),
  ) {}

  begin(name: string, total: number): void {
    this.table = { name, total, done: 0, begunAt: this.now(), shownAt: 0 };
    this.show();
  }

  add(rows: number): void {
    this.table.done += rows;
    if (this.now() - this.table.shownAt >= FRAME_MS) this.show();
  }

  end(): void {
    const { name, done, total } = this.table;
    this.terminal.screen?.write(LINE_START);
    if (done < total) return;
    this.tables += 1;
    this.rows += done;
    if (done > 0)
      this.terminal.out(`moved  ${name.padEnd(24)}${grouped(done).padStart(13)} rows${this.rate()}\n`);
  }

  private show(): void {
    const { name, done, total } = this.table;
    this.table.shownAt = this.now();
    this.terminal.screen?.write(
      `${LINE_START}       ${name.padEnd(24)}${grouped(done).padStart(13)} of ${grouped(total)} rows${this.rate()}`,
    );
  }

  private rate(): string {
    const seconds = (this.now() - this.table.begunAt) / 1000;
    return seconds < 1 ? '' : `  ${grouped(Math.round(this.table.done / seconds))}/s`;
  }
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
