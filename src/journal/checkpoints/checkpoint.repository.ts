import { crc32 } from 'node:zlib';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type ExecutionState, fold, stateCodec } from '../../engine/index.js';
import { DIALECT, type Dialect, marked, type Statement } from '../../storage/index.js';
import { JournalRepository } from '../journal.repository.js';

/** Minimum number of events between two checkpoints of an execution. */
export const CHECKPOINT_INTERVAL = 1_000;

/**
 * Stored state of an execution after one of its events. A reader starts from the checkpoint and reads only later
 * events.
 */
export interface Checkpoint {
  readonly state: ExecutionState;
  /** Bytes of events and long values that the execution had stored up to the checkpoint. */
  readonly storedBytes: number;
  /** Number of consecutive crash recoveries during which the execution made no progress. */
  readonly recoveries: number;
}

/** A checkpoint read from the database. */
export interface StoredCheckpoint extends Checkpoint {
  /** Length of the checkpoint's stored text, in characters. */
  readonly size: number;
}

interface CheckpointRow {
  readonly format: string;
  readonly stored_bytes: number | string;
  readonly recoveries: number;
  readonly checksum: string;
  readonly body: string;
}

/**
 * Reads and writes checkpoints, which are only a cache. If no usable checkpoint exists, the state is computed from all
 * events.
 */
@Injectable()
export class CheckpointRepository {
  private readonly logger = new Logger(CheckpointRepository.name);

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    @Inject(JournalRepository) private readonly journal: Pick<JournalRepository, 'whole'>,
  ) {}

  /**
   * @returns the write of a checkpoint and its length in characters; null while the state has a long value that is
   * not stored yet
   */
  write(
    executionId: string,
    { state, storedBytes, recoveries }: Checkpoint,
  ): { readonly statement: Statement; readonly size: number } | null {
    const body = stateCodec.encode(state);
    if (body === null) return null;
    const statement = {
      sql: marked(
        this.dialect,
        `INSERT INTO checkpoints (execution_id, sequence, format, stored_bytes, recoveries, checksum, body)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (execution_id) DO UPDATE SET sequence = excluded.sequence, format = excluded.format,
           stored_bytes = excluded.stored_bytes, recoveries = excluded.recoveries, checksum = excluded.checksum,
           body = excluded.body`,
      ),
      parameters: [
        executionId,
        state.sequence,
        stateCodec.format,
        storedBytes,
        recoveries,
        checksumOf(body),
        body,
      ],
    };
    return { statement, size: body.length };
  }

  async find(executionId: string, length: number): Promise<StoredCheckpoint | undefined> {
    if (length <= CHECKPOINT_INTERVAL) return undefined;
    const [row] = await this.dataSource.query<readonly CheckpointRow[]>(
      marked(
        this.dialect,
        `SELECT format, stored_bytes, recoveries, checksum, body FROM checkpoints
         WHERE execution_id = ? AND sequence <= ?`,
      ),
      [executionId, length],
    );
    if (row === undefined || !this.isUsable(executionId, row)) return undefined;
    const { stored_bytes: storedBytes, recoveries, body } = row;
    return {
      state: stateCodec.decode(body),
      storedBytes: Number(storedBytes),
      recoveries,
      size: body.length,
    };
  }

  static removal(dialect: Dialect, executionId: string): Statement {
    return {
      sql: marked(dialect, 'DELETE FROM checkpoints WHERE execution_id = ?'),
      parameters: [executionId],
    };
  }

  /**
   * Returns the current state of an execution, computed without the compiled workflow. The state may lack
   * results of ended loop items.
   */
  async currentState(executionId: string, length: number): Promise<ExecutionState> {
    const state = (await this.find(executionId, length))?.state ?? fold([]);
    return fold(await this.journal.whole(executionId, state.sequence), state);
  }

  private isUsable(executionId: string, { format, checksum, body }: CheckpointRow): boolean {
    if (format !== stateCodec.format) {
      this.logger.log(
        { execution_id: executionId },
        'A checkpoint has the format of another service version and is ignored. The whole journal is read instead.',
      );
      return false;
    }
    if (checksum === checksumOf(body)) return true;
    this.logger.warn(
      { execution_id: executionId },
      'A checkpoint is corrupt and is ignored. The whole journal is read instead.',
    );
    return false;
  }
}

function checksumOf(body: string): string {
  return crc32(body).toString(16);
}
