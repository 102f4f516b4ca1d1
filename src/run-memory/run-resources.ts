import { Inject, Injectable } from '@nestjs/common';
import { JournalRepository, PayloadRepository } from '../journal/index.js';
import { type Settings, SETTINGS } from '../settings/index.js';
import { RunMemory } from './run-memory.js';
import { RunValues } from './run-values.js';

/** Provides running executions with their long values, and with their limits for memory and storage. */
@Injectable()
export class RunResources {
  /** Maximum number of bytes that one execution may store. */
  readonly maxBytes: number;

  constructor(
    readonly memory: RunMemory,
    private readonly payloads: PayloadRepository,
    private readonly journal: JournalRepository,
    @Inject(SETTINGS) settings: Pick<Settings, 'EXECUTION_MAX_BYTES'>,
  ) {
    this.maxBytes = settings.EXECUTION_MAX_BYTES;
  }

  valuesOf(executionId: string): RunValues {
    return new RunValues(executionId, this.memory, this.payloads);
  }

  async storedBytes(executionId: string): Promise<number> {
    const { journal, payloads } = (await this.journal.sizes([executionId])).get(executionId) ?? {
      journal: 0,
      payloads: 0,
    };
    return journal + payloads;
  }
}
