import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { SealedColumnDescription } from '../encryption/index.js';
import { DIALECT, type Dialect, marked, markedStatement, type Statement } from '../storage/index.js';

export interface SealedValue {
  readonly id: string;
  readonly sealed: string;
}

type Place = Pick<SealedColumnDescription, 'table' | 'column'>;

@Injectable()
export class SealedValuesRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  /** Counts the values in a column that were encrypted with any other key than `keyId`. */
  async countSealedByOthers({ table, column }: Place, keyId: string): Promise<number> {
    const [row] = await this.dataSource.query<readonly { readonly count: number | string }[]>(
      marked(this.dialect, `SELECT count(*) AS count FROM ${table} WHERE ${column} NOT LIKE ?`),
      [pattern(keyId)],
    );
    return Number(row?.count ?? 0);
  }

  /**
   * Reads the values in a column that were encrypted with any other key than `keyId`, in the order of their row ids.
   *
   * @param after id of the row before the first result; null to start with the first row
   */
  sealedByOthers(
    { table, column }: Place,
    keyId: string,
    after: string | null,
    limit: number,
  ): Promise<readonly SealedValue[]> {
    return this.dataSource.query<readonly SealedValue[]>(
      marked(
        this.dialect,
        `SELECT id, ${column} AS sealed FROM ${table}
         WHERE ${column} NOT LIKE ? ${after === null ? '' : 'AND id > ?'} ORDER BY id LIMIT ${limit}`,
      ),
      [pattern(keyId), ...(after === null ? [] : [after])],
    );
  }

  /**
   * Creates a statement that replaces an encrypted value. The statement has no effect if the value changed after it was
   * read.
   */
  reseal({ table, column }: Place, { id, sealed }: SealedValue, resealed: string): Statement {
    return markedStatement(this.dialect, `UPDATE ${table} SET ${column} = ? WHERE id = ? AND ${column} = ?`, [
      resealed,
      id,
      sealed,
    ]);
  }
}

function pattern(keyId: string): string {
  return `%.${keyId}.%`;
}
