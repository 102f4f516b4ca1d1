const MAX_LINES = 99;
const MAX_CHARACTERS = 8 * 1024;
const LEFT_OUT = '(Further lines are omitted.)';

export class ConsoleLines {
  readonly lines: string[] = [];
  private left = MAX_CHARACTERS;
  private isFull = false;

  add(line: string): void {
    if (this.isFull) return;
    this.lines.push(line.slice(0, this.left));
    this.left -= line.length;
    this.isFull = this.left <= 0 || this.lines.length >= MAX_LINES;
    if (this.isFull) this.lines.push(LEFT_OUT);
  }
}
