import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Batch, EventBus } from 'workflow-service/module';
import { NotesService } from './notes.service.js';

/**
 * Creates a note for each failed execution. Every process that serves clients receives every event; the unique source of
 * the note, the execution id, prevents duplicates. Events that occur while no such process runs are not delivered. To
 * miss none, read `GET /v1/events` from the last cursor instead.
 */
@Injectable()
export class FailureNotes implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(FailureNotes.name);
  private unsubscribe: (() => void) | undefined;

  constructor(
    private readonly bus: EventBus,
    private readonly notes: NotesService,
  ) {}

  onModuleInit(): void {
    this.unsubscribe = this.bus.subscribe((batch) => this.onBatch(batch));
  }

  onModuleDestroy(): void {
    this.unsubscribe?.();
  }

  /** Returns immediately, because the bus waits for its listeners. */
  private onBatch({ executionId, projectId, events }: Batch): void {
    if (!events.some(({ type }) => type === 'workflow.failed')) return;
    this.notes
      .add(projectId, `The execution ${executionId} failed.`, `failed:${executionId}`)
      .catch((error: unknown) => this.logger.error({ err: error }, 'A note could not be created.'));
  }
}
