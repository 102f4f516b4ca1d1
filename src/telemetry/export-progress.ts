import { Logger } from '@nestjs/common';
import type { Batch, JournalRepository } from '../journal/index.js';
import { newId, Periodic } from '../platform/index.js';
import type { SpanQueue } from './span-queue.js';
import type { SpanRecorder } from './span-recorder.js';
import type { TraceExportsRepository } from './trace-exports.repository.js';

/** How often the progress is written, and processes that died are looked for, in milliseconds. */
const INTERVAL_MS = 5_000;

/** Batches of a process that died that are read at once. */
const PAGE = 500;

/**
 * Keeps in the database how far this process has exported its spans, so that none is lost when it dies: another process
 * makes them again from the journal. Spans that the collector had accepted already come twice, with the same ids.
 */
export class ExportProgress {
  private readonly logger = new Logger('Telemetry');
  /** Of the row of this process; null until it is written. */
  private id: string | null = null;
  /** What other processes left, by the id of its row. */
  private readonly inherited = new Map<string, Range>();
  private newest = 0;
  private readonly periodic = new Periodic(
    INTERVAL_MS,
    () => this.write().then(() => this.recover()),
    (error) => this.logger.warn({ err: error }, 'The progress of the export of spans could not be written.'),
  );

  constructor(
    private readonly instanceId: string,
    private readonly exports: Pick<
      TraceExportsRepository,
      'advance' | 'insert' | 'orphans' | 'remove' | 'takeOver'
    >,
    private readonly journal: Pick<JournalRepository, 'after' | 'bounds'>,
    private readonly recorder: Pick<SpanRecorder, 'oldest' | 'recover'>,
    private readonly queue: Pick<SpanQueue, 'add' | 'flush' | 'oldest'>,
  ) {}

  /** Resolves when a crash from now on loses no span. */
  async start(): Promise<void> {
    this.newest = (await this.journal.bounds()).newest;
    await this.write();
    this.periodic.start();
  }

  /** A batch of this process was recorded. */
  reached(position: number): void {
    this.newest = Math.max(this.newest, position);
  }

  /** Ends in order: what was not exported is left to another process. */
  async stop(): Promise<void> {
    await this.periodic.stop();
    const isDone = (await this.queue.flush()) && this.recorder.oldest === Infinity;
    if (isDone && this.id !== null) await this.exports.remove(this.id);
    else await this.write();
  }

  private async write(): Promise<void> {
    const exportedTo = Math.min(this.newest, this.queue.oldest - 1, this.recorder.oldest - 1);
    const { instanceId } = this;
    if (this.id !== null && (await this.exports.advance(this.id, instanceId, exportedTo))) return;
    // The first time, or another process took this one for dead and took the row over.
    const id = newId();
    await this.exports.insert({ id, instanceId, exportedTo, endsAt: null });
    this.id = id;
  }

  private async recover(): Promise<void> {
    for (const orphan of await this.exports.orphans()) {
      const endsAt = orphan.endsAt ?? (await this.journal.bounds()).newest;
      if (await this.exports.takeOver(orphan, this.instanceId, endsAt))
        this.inherited.set(orphan.id, { exportedTo: orphan.exportedTo, endsAt });
    }
    for (const [id, range] of this.inherited) await this.exportAgain(id, range);
  }

  /** While the collector is away, it stops; it continues after the next interval. */
  private async exportAgain(id: string, { exportedTo, endsAt }: Range): Promise<void> {
    let spans = 0;
    for (let after = exportedTo; after < endsAt;) {
      const { batches } = await this.journal.after(after, PAGE, NONE);
      const made = await this.recorder.recover(batches.filter(({ position }) => position <= endsAt));
      // What waits for the collector must not fill the memory.
      if (!(await this.queue.flush())) return;
      this.queue.add(after + 1, made);
      spans += made.length;
      after = batches.at(-1)?.position ?? endsAt;
      if (await this.queue.flush()) this.inherited.set(id, { exportedTo: after, endsAt });
      else return;
    }
    this.inherited.delete(id);
    await this.exports.remove(id);
    if (spans > 0) this.logger.log(`${spans} spans of a process that ended were exported.`);
  }
}

/** Positions of commits: after the first, up to the second. */
interface Range {
  readonly exportedTo: number;
  readonly endsAt: number;
}

const NONE: ReadonlyMap<number, Batch> = new Map();
