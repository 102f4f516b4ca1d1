import { Inject, Injectable } from '@nestjs/common';
import { DIALECT, type Dialect, marked, type Statement, Writer } from '../storage/index.js';
import { isoTime } from '../platform/index.js';

/** Claims and releases periodic tasks that one process at a time runs on behalf of all processes. */
@Injectable()
export class ChoreRepository {
  constructor(
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
  ) {}

  /**
   * Claims a periodic task. The claim is refused if another live process runs the task, or if the last run began after
   * `since`. A process may claim a task that it already holds, because its release may have failed.
   *
   * @param since epoch milliseconds
   * @returns whether this process should run the task
   */
  async claim(name: string, holder: string, since: number, now: number): Promise<boolean> {
    const claim = this.statement(
      `INSERT INTO chores (name, holder, started_at) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, started_at = excluded.started_at
       WHERE (chores.holder IS NULL OR chores.holder = excluded.holder
           OR chores.holder NOT IN (SELECT i.id FROM instances AS i))
         AND chores.started_at <= ?`,
      [name, holder, isoTime(now), isoTime(since)],
    );
    try {
      await this.writer.commit({ writes: [{ ...claim, orFail: () => new ChoreTaken() }] });
      return true;
    } catch (error) {
      if (error instanceof ChoreTaken) return false;
      throw error;
    }
  }

  async release(name: string, holder: string): Promise<void> {
    await this.writer.commit({
      writes: [
        this.statement('UPDATE chores SET holder = NULL WHERE name = ? AND holder = ?', [name, holder]),
      ],
    });
  }

  private statement(sql: string, parameters: readonly unknown[]): Statement {
    return { sql: marked(this.dialect, sql), parameters };
  }
}

class ChoreTaken extends Error {}
