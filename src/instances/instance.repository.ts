import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, markedStatement, marksOf, Writer } from '../storage/index.js';
import { InstanceEntity } from './instance.entity.js';

export interface Instance {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Role of the process; null if an older version of the service wrote the row. */
  readonly role: string | null;
  readonly version: string | null;
  readonly startedAt: string;
  /** Milliseconds since the last heartbeat, measured by the clock of the database. */
  readonly silentMs: number;
}

/** An instance to register. The database sets its times. */
export type NewInstance = Omit<Instance, 'startedAt' | 'silentMs'>;

/**
 * Reads and writes the table `instances`. All times come from the clock of the database, because the clocks of
 * processes may differ.
 */
@Injectable()
export class InstanceRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
  ) {}

  async register(instance: NewInstance): Promise<void> {
    await this.write(`${INSERT} SELECT ${MARKS}, ${this.now}, ${this.now}`, valuesOf(instance));
  }

  /**
   * Registers a process and deletes the rows of all other processes. Used with SQLite, where only one process
   * can run.
   */
  async registerAlone(instance: NewInstance): Promise<void> {
    await this.writer.commit({
      writes: [
        markedStatement(this.dialect, 'DELETE FROM instances', []),
        markedStatement(
          this.dialect,
          `${INSERT} SELECT ${MARKS}, ${this.now}, ${this.now}`,
          valuesOf(instance),
        ),
      ],
    });
  }

  /** @returns false if the instance was removed because it counted as dead */
  async heartbeat(id: string): Promise<boolean> {
    return this.touches(`UPDATE instances SET last_seen_at = ${this.now} WHERE id = ?`, [id]);
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.write(`DELETE FROM instances WHERE id IN (${marksOf(ids)})`, ids);
  }

  list(): Promise<readonly Instance[]> {
    return instancesOf(this.dataSource, this.dialect);
  }

  private get now(): string {
    return nowOf(this.dialect);
  }

  /** @returns whether the statement changed a row */
  private async touches(text: string, parameters: readonly unknown[]): Promise<boolean> {
    try {
      await this.write(text, parameters, () => new NoRowError());
      return true;
    } catch (error) {
      if (error instanceof NoRowError) return false;
      throw error;
    }
  }

  private write(text: string, parameters: readonly unknown[], orFail?: () => Error): Promise<void> {
    const statement = markedStatement(this.dialect, text, parameters);
    return this.writer.commit({ writes: [orFail === undefined ? statement : { ...statement, orFail }] });
  }
}

export async function instancesOf(dataSource: DataSource, dialect: Dialect): Promise<readonly Instance[]> {
  const [entities, [clock]] = await Promise.all([
    dataSource.createQueryBuilder(InstanceEntity, 'i').getMany(),
    dataSource.query<readonly { now: string | Date }[]>(`SELECT ${nowOf(dialect)} AS now`),
  ]);
  const now = new Date(clock?.now ?? 0).getTime();
  return entities.map(({ id, host, pid, role, version, startedAt, lastSeenAt }) => ({
    id,
    host,
    pid,
    role,
    version,
    startedAt,
    silentMs: now - Date.parse(lastSeenAt),
  }));
}

function nowOf(dialect: Dialect): string {
  return dialect === 'postgres' ? 'clock_timestamp()' : "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";
}

const INSERT = 'INSERT INTO instances (id, host, pid, role, version, started_at, last_seen_at)';
const MARKS = '?, ?, ?, ?, ?';

function valuesOf({ id, host, pid, role, version }: NewInstance): readonly unknown[] {
  return [id, host, pid, role, version];
}

class NoRowError extends Error {}
