import { Logger } from '@nestjs/common';
import type { JournalRepository } from '../journal/index.js';
import { newId, Periodic } from '../platform/index.js';
import type { SpanQueue } from './span-queue.js';
import type { SpanRecorder } from './span-recorder.js';
import type { TraceExportsRepository } from './trace-exports.repository.js';

/**
 * Milliseconds between writes of the export progress. After each write, this process also searches for rows of dead
 * processes.
 */
const INTERVAL_MS = 5_000;

/** Maximum number of journal batches of a dead process that one read returns. */
const PAGE = 500;

/**
 * Stores the journal position up to which this process has exported its spans. After a crash, another process exports
 * the missing spans. Some spans may then be exported twice.
 */
export class ExportProgress {
  private readonly logger = new Logger('Telemetry');
  /** Id of this process's row in `trace_exports`. Null before the row is written. */
  private id: string | null = null;
  /**
   * Ranges of journal positions of dead processes, by id of the row in `trace_exports`. This process exports the spans
   * of these ranges.
   */
  private readonly inherited = new Map<string, Range>();
  private newest = 0;
  /**
   * Newest journal position at the previous write of the export progress, `INTERVAL_MS` ago. Only positions up to this
   * one count as exported, because commits at later positions may still be in progress.
   */
  private confirmed = 0;
  private readonly periodic = new Periodic(
    INTERVAL_MS,
    () => this.write().then(() => this.recover()),
    (error) => this.logger.warn({ err: error }, 'The export progress of spans could not be stored.'),
  );

  constructor(
    private readonly instanceId: string,
    private readonly exports: Pick<
      TraceExportsRepository,
      'advance' | 'insert' | 'orphans' | 'remove' | 'takeOver'
    >,
    private readonly journal: Pick<JournalRepository, 'between' | 'bounds'>,
    private readonly recorder: Pick<SpanRecorder, 'oldest' | 'recover'>,
    private readonly queue: Pick<SpanQueue, 'add' | 'flush' | 'oldest'>,
  ) {}

  /**
   * Stores the first export progress of this process and starts the periodic writes. Once the promise resolves, a crash
   * of this process loses no span.
   */
  async start(): Promise<void> {
    this.newest = (await this.journal.bounds()).newest;
    this.confirmed = this.newest;
    await this.write();
    this.periodic.start();
  }

  reached(position: number): void {
    this.newest = Math.max(this.newest, position);
  }

  /** Sends the queued spans and stops the periodic writes. If spans remain, another process exports them later. */
  async stop(): Promise<void> {
    await this.periodic.stop();
    const isDone = (await this.queue.flush()) && this.recorder.oldest === Infinity;
    if (isDone && this.id !== null) await this.exports.remove(this.id);
    else await this.write();
  }

  private async write(): Promise<void> {
    const exportedTo = Math.min(this.confirmed, this.queue.oldest - 1, this.recorder.oldest - 1);
    this.confirmed = this.newest;
    const { instanceId } = this;
    if (this.id !== null && (await this.exports.advance(this.id, instanceId, exportedTo))) return;
    // No row was updated, because this is the first write or another process has taken over the row.
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

  /**
   * Exports the spans of a dead process. While the collector is unavailable, the export is tried again every 5 seconds.
   */
  private async exportAgain(id: string, { exportedTo, endsAt }: Range): Promise<void> {
    let spans = 0;
    for (let after = exportedTo; after < endsAt;) {
      const { batches } = await this.journal.between(after, endsAt, PAGE);
      const made = await this.recorder.recover(batches);
      // Send all queued spans before adding more. Otherwise, the queue could grow without limit while the collector is
      // unavailable.
      if (!(await this.queue.flush())) return;
      this.queue.add(after + 1, made);
      spans += made.length;
      after = batches.at(-1)?.position ?? endsAt;
      if (await this.queue.flush()) this.inherited.set(id, { exportedTo: after, endsAt });
      else return;
    }
    this.inherited.delete(id);
    await this.exports.remove(id);
    if (spans > 0) this.logger.log(`${spans} spans of an ended process were exported.`);
  }
}

/** Range of journal positions after `exportedTo`, up to and including `endsAt`. */
interface Range {
  readonly exportedTo: number;
  readonly endsAt: number;
}
