import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, type Statement, Writer } from '../../platform/index.js';
import { InstanceEntity } from './instance.entity.js';

/** A process as the database knows it. */
export interface Instance {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  /** Milliseconds since it was last heard of, by the database's clock. */
  readonly silentMs: number;
}

/** SQL of the instances. All times are those of the database, so that processes' clocks may differ. */
@Injectable()
export class InstanceRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
  ) {}

  async register(instance: Pick<Instance, 'id' | 'host' | 'pid'>): Promise<void> {
    const { id, host, pid } = instance;
    await this.write(
      `INSERT INTO instances (id, host, pid, started_at, last_seen_at) VALUES (?, ?, ?, ${this.now}, ${this.now})`,
      [id, host, pid],
    );
  }

  /** @returns false where the instance was removed meanwhile: it was taken for dead */
  async heartbeat(id: string): Promise<boolean> {
    try {
      await this.write(
        `UPDATE instances SET last_seen_at = ${this.now} WHERE id = ?`,
        [id],
        () => new InstanceGoneError(),
      );
      return true;
    } catch (error) {
      if (error instanceof InstanceGoneError) return false;
      throw error;
    }
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0)
      await this.write(`DELETE FROM instances WHERE id IN (${ids.map(() => '?').join(', ')})`, ids);
  }

  async list(): Promise<readonly Instance[]> {
    const [entities, [clock]] = await Promise.all([
      this.dataSource.createQueryBuilder(InstanceEntity, 'i').getMany(),
      this.dataSource.query<readonly { now: string | Date }[]>(`SELECT ${this.now} AS now`),
    ]);
    const now = new Date(clock?.now ?? 0).getTime();
    return entities.map(({ id, host, pid, startedAt, lastSeenAt }) => ({
      id,
      host,
      pid,
      startedAt,
      silentMs: now - Date.parse(lastSeenAt),
    }));
  }

  private get now(): string {
    return this.dialect === 'postgres' ? 'clock_timestamp()' : "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";
  }

  private write(text: string, parameters: readonly unknown[], orFail?: () => Error): Promise<void> {
    let index = 0;
    const sql = this.dialect === 'postgres' ? text.replaceAll('?', () => `$${++index}`) : text;
    const statement: Statement = orFail === undefined ? { sql, parameters } : { sql, parameters, orFail };
    return this.writer.commit({ writes: [statement] });
  }
}

class InstanceGoneError extends Error {}
