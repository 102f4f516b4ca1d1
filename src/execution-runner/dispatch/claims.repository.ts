import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import {
  DIALECT,
  type Dialect,
  type EntityRow,
  EntityRows,
  PreparedQueries,
  marked,
  markedStatement,
  marksOf,
  Writer,
} from '../../storage/index.js';
import { type Execution, ExecutionEntity, toExecution } from '../../execution-store/index.js';
import {
  claimAll,
  claimChosen,
  hasMessages,
  MAX_LOOKUPS,
  OF_EACH_PROJECT,
  PRIORITIES,
  runnable,
} from './claim-statements.js';
import { type Candidate, ProjectTurns } from './project-turns.js';

export interface Claim {
  /** Claimed executions in the order in which they should start, so that projects take turns. */
  readonly executions: readonly Execution[];
  /**
   * ISO 8601 time at which the next unclaimed execution becomes runnable. Null if no execution is scheduled, or if the
   * claim returned its maximum number of executions.
   */
  readonly nextAt: string | null;
}

@Injectable()
export class ClaimsRepository {
  private readonly rows: EntityRows<ExecutionEntity>;
  private readonly preparedQueries: PreparedQueries;
  private readonly claims: Readonly<Record<'all' | 'chosen', string>>;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
  ) {
    this.rows = new EntityRows(dataSource, dialect, ExecutionEntity);
    this.preparedQueries = new PreparedQueries(dataSource);
    const columns = this.rows.columns('taken');
    this.claims = { all: claimAll(columns), chosen: claimChosen(columns) };
  }

  /**
   * Claims due executions. Projects take turns. Within a project, executions with a higher priority are claimed first.
   *
   * @param limit maximum number of claimed executions
   * @param turns last turn of each project; the caller must pass the same object to every claim
   */
  claim(owner: string, now: string, limit: number, turns = new ProjectTurns()): Promise<Claim> {
    return this.dialect === 'postgres'
      ? this.claimInOneStatement(owner, now, limit, turns)
      : this.claimThroughWriter(owner, now, limit, turns);
  }

  /**
   * Claims with a single PostgreSQL statement if fewer than `limit` executions are due. The statement is not sent
   * through `Writer`, because waiting for its group commit would delay the claim.
   */
  private async claimInOneStatement(
    owner: string,
    now: string,
    limit: number,
    turns: ProjectTurns,
  ): Promise<Claim> {
    const rows = await this.preparedQueries.query<DueRow>(this.claims.all, [owner, now, limit]);
    const due = rows.flatMap(({ due_id: id, due_project_id: projectId, due_priority: priority }) =>
      id === null ? [] : [{ id, projectId, priority }],
    );
    if (due.length === limit) {
      const ids = turns.choose([...due, ...(await this.ofOtherProjects(now, turns))], limit);
      const chosen = await this.preparedQueries.query<TakenRow>(this.claims.chosen, [owner, now, ids]);
      return this.claimed(this.fromRows(chosen), ids, limit);
    }
    const ids = turns.choose(due, limit);
    const executions = inOrder(this.fromRows(rows.filter(isTaken)), ids);
    // Another process may have locked some due rows, so that this claim skipped them. `later_at` covers only executions
    // that are not due yet, so a second query reads the time of the next execution.
    const isWhole = executions.length === due.length;
    const later = rows[0]?.later_at ?? null;
    return { executions, nextAt: isWhole ? (later?.toISOString() ?? null) : await this.nextRunnableAt() };
  }

  private async claimThroughWriter(
    owner: string,
    now: string,
    limit: number,
    turns: ProjectTurns,
  ): Promise<Claim> {
    const urgent = (
      await this.query<CandidateRow>(
        `${runnable('id, project_id, priority', 'runnable_at <= ?', limit)} LIMIT ${limit}`,
        PRIORITIES.map(() => now),
      )
    ).map(toCandidate);
    const others = urgent.length < limit ? [] : await this.ofOtherProjects(now, turns);
    const ids = turns.choose([...urgent, ...others], limit);
    if (ids.length === 0) return this.claimed([], ids, limit);
    const take = markedStatement(
      this.dialect,
      `UPDATE executions SET lease_owner = ?, lease_epoch = lease_epoch + 1, runnable_at = NULL
       WHERE id IN (${marksOf(ids)}) AND runnable_at <= ?`,
      [owner, ...ids, now],
    );
    await this.writer.commit({ writes: [take] });
    const taken = await this.query<TakenRow>(
      `SELECT ${this.rows.columns()}, ${hasMessages('executions')} FROM executions
       WHERE id IN (${marksOf(ids)}) AND lease_owner = ?`,
      [...ids, owner],
    );
    return this.claimed(this.fromRows(taken), ids, limit);
  }

  private async claimed(
    executions: readonly Execution[],
    ids: readonly string[],
    limit: number,
  ): Promise<Claim> {
    const nextAt = executions.length < limit ? await this.nextRunnableAt() : null;
    return { executions: inOrder(executions, ids), nextAt };
  }

  private fromRows(rows: readonly TakenRow[]): readonly Execution[] {
    return rows.map((row) => ({
      ...toExecution(this.rows.read(row)),
      hasMessages: Boolean(row.has_messages),
      bodies: row.bodies ?? null,
    }));
  }

  /**
   * Returns the first due executions of the next 32 projects. Without this query, the many urgent executions of one
   * project could use up every claim.
   */
  private async ofOtherProjects(now: string, turns: ProjectTurns): Promise<readonly Candidate[]> {
    const others = await this.query<CandidateRow & { readonly id: string | null }>(OF_EACH_PROJECT, [
      turns.lookedUpTo,
      now,
    ]);
    const projects = others.map(({ project_id }) => project_id).sort();
    turns.lookedUp(projects.length < MAX_LOOKUPS * PRIORITIES.length ? undefined : projects.at(-1));
    return others.filter(({ id }) => id !== null).map(toCandidate);
  }

  /**
   * Returns the ISO 8601 time at which the next unclaimed execution is runnable. Null if no unclaimed execution is
   * scheduled.
   */
  async nextRunnableAt(): Promise<string | null> {
    const rows = await this.query<{ runnable_at: string | Date }>(
      runnable('runnable_at', 'runnable_at IS NOT NULL', 1),
      [],
    );
    const times = rows.map(({ runnable_at }) => new Date(runnable_at).toISOString());
    return times.sort()[0] ?? null;
  }

  /**
   * Returns the number of executions with a lease, and the ISO 8601 time at which the next unclaimed execution is
   * runnable.
   */
  async outlook(): Promise<{ readonly held: number; readonly nextRunnableAt: string | null }> {
    const [row] = await this.query<{ readonly held: number | string; readonly at: string | Date | null }>(
      `SELECT (SELECT count(*) FROM executions WHERE lease_owner IS NOT NULL) AS held,
        (SELECT min(runnable_at) FROM executions WHERE runnable_at IS NOT NULL) AS at`,
      [],
    );
    const at = row?.at ?? null;
    return {
      held: Number(row?.held ?? 0),
      nextRunnableAt: at === null ? null : new Date(at).toISOString(),
    };
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }
}

interface CandidateRow {
  readonly id: string;
  readonly project_id: string;
  readonly priority: number;
}

function toCandidate({ id, project_id: projectId, priority }: CandidateRow): Candidate {
  return { id, projectId, priority };
}

/**
 * Row that the claim statement returns for each due execution. If no execution is due, a single row contains only
 * `later_at`, the time at which the next execution becomes due.
 */
type DueRow = Partial<TakenRow> & {
  readonly due_priority: number;
  readonly due_project_id: string;
  readonly due_id: string | null;
  readonly later_at: Date | null;
};

/** Row of a claimed execution. `bodies` contains its events if the journal is short. */
type TakenRow = EntityRow & {
  readonly id: string;
  readonly has_messages: boolean | number;
  readonly bodies?: string | null;
};

function isTaken(row: DueRow): row is DueRow & TakenRow {
  return typeof row.id === 'string';
}

function inOrder(executions: readonly Execution[], ids: readonly string[]): readonly Execution[] {
  const order = new Map(ids.map((id, index) => [id, index]));
  return executions.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}
