import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { LongValuePlace } from '../long-values/index.js';
import { DIALECT, type Dialect, insertShape, marked, marksOf, type Write } from '../storage/index.js';
import { PayloadGoneError } from './journal.errors.js';
import type { Payload, PayloadField } from './payload.js';

const INSERT = insertShape('payloads', {
  execution_id: 'uuid',
  sequence: 'integer',
  field: 'text',
  body: 'text',
  pieces: 'text',
});

interface PayloadRow {
  readonly sequence: number;
  readonly field: PayloadField;
  readonly body: string;
  readonly pieces: string | null;
}

@Injectable()
export class PayloadRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  write(executionId: string, { sequence, field, body, pieces, copyOf }: Payload): Write {
    if (copyOf === null)
      return {
        shape: INSERT,
        row: [executionId, sequence, field, body, pieces === null ? null : JSON.stringify(pieces)],
      };
    return {
      sql: marked(
        this.dialect,
        `INSERT INTO payloads (execution_id, sequence, field, body)
         SELECT ?, ?, ?, body FROM payloads WHERE execution_id = ? AND sequence = ? AND field = ?`,
      ),
      parameters: [executionId, sequence, field, copyOf.executionId, copyOf.sequence, copyOf.field],
      orFail: () => new PayloadGoneError(copyOf),
    };
  }

  /**
   * Yields the JSON text of a long value in pieces, so that only one piece is in memory. Yields nothing if the value
   * does not exist.
   */
  async *pieces(executionId: string, sequence: number, field: PayloadField): AsyncGenerator<string> {
    const [row] = await this.query<PayloadRow>(
      'SELECT sequence, field, body, pieces FROM payloads WHERE execution_id = ? AND sequence = ? AND field = ?',
      [executionId, sequence, field],
    );
    if (row === undefined) return;
    if (row.pieces === null) yield row.body;
    else
      for (const piece of JSON.parse(row.pieces) as readonly (string | number)[])
        if (typeof piece === 'string') yield piece;
        else yield* this.pieces(executionId, piece, 'output');
  }

  async text(executionId: string, sequence: number, field: PayloadField): Promise<string | undefined> {
    const pieces: string[] = [];
    for await (const piece of this.pieces(executionId, sequence, field)) pieces.push(piece);
    return pieces.length === 0 ? undefined : pieces.join('');
  }

  /**
   * Returns the lengths of long values' JSON texts in characters, by `placeKey`. Values that do not exist are omitted.
   */
  async lengths(
    executionId: string,
    places: readonly Pick<LongValuePlace, 'sequence' | 'field'>[],
  ): Promise<ReadonlyMap<string, number>> {
    if (places.length === 0) return new Map();
    const wanted = [...new Set(places.map(({ sequence }) => sequence))];
    const rows = await this.lengthRows(executionId, wanted);
    const lengths = new Map(rows.map((row) => [placeKey(row), Number(row.length)]));
    const inPieces = rows.flatMap(({ pieces, ...row }) =>
      pieces === null ? [] : [{ key: placeKey(row), pieces: JSON.parse(pieces) as (string | number)[] }],
    );
    const others = inPieces.flatMap(({ pieces }) => pieces.filter((piece) => typeof piece === 'number'));
    const outputs = others.length === 0 ? [] : await this.lengthRows(executionId, [...new Set(others)]);
    const ofOutputs = new Map(outputs.map((row) => [placeKey(row), Number(row.length)]));
    for (const { key, pieces } of inPieces)
      lengths.set(
        key,
        pieces.reduce<number>(
          (sum, piece) =>
            sum +
            (typeof piece === 'string'
              ? piece.length
              : (ofOutputs.get(placeKey({ sequence: piece, field: 'output' })) ?? 0)),
          0,
        ),
      );
    return lengths;
  }

  private lengthRows(
    executionId: string,
    sequences: readonly number[],
  ): Promise<readonly (Omit<PayloadRow, 'body'> & { readonly length: number | string })[]> {
    return this.query(
      `SELECT sequence, field, pieces, length(body) AS length FROM payloads
       WHERE execution_id = ? AND sequence IN (${marksOf(sequences)})`,
      [executionId, ...sequences],
    );
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }
}

export function placeKey({ sequence, field }: Pick<LongValuePlace, 'sequence' | 'field'>): string {
  return `${sequence}:${field}`;
}
