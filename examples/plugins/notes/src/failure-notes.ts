import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Batch, EventBus } from 'workflow-service/module';
import { NotesService } from './notes.service.js';

/**
 * Makes a note of each execution that fails. Every process that serves clients hears every event; the source of the
 * note, the execution, makes it one note all the same. What happens while no such process runs is not heard: what must
 * not be missed reads `GET /v1/events` from its last cursor.
 */
@Injectable()
export class FailureNotes implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(FailureNotes.name);
  private leave: (() => void) | undefined;

  constructor(
    private readonly bus: EventBus,
    private readonly notes: NotesService,
  ) {}

  onModuleInit(): void {
    this.leave = this.bus.subscribe((batch) => this.hear(batch));
  }

  onModuleDestroy(): void {
    this.leave?.();
  }

  /** Returns at once: the bus waits for its listeners. */
  private hear({ executionId, projectId, events }: Batch): void {
    if (!events.some(({ type }) => type === 'workflow.failed')) return;
    this.notes
      .add(projectId, `The execution ${executionId} failed.`, `failed:${executionId}`)
      .catch((error: unknown) => this.logger.error({ err: error }, 'A note could not be made.'));
  }
}
