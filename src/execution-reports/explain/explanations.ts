import { RunMemory, CrashQuarantine } from '../../execution-runner/index.js';
import { QueuePositions } from './queue-position.js';
import {
  hasEnded,
  ReachableExecutions,
  type Execution,
  CancellationJobRepository,
} from '../../execution-store/index.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../access/index.js';
import { DEFAULT_CONFIG, fold } from '../../engine/index.js';
import { JournalRepository } from '../../journal/index.js';
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { SETTINGS, type Settings } from '../../settings/index.js';
import { PlanCache, PlanUnavailableError } from '../../workflows/index.js';
import { findDeadlock, withDeadlock } from './deadlock.js';
import { ExplainRepository } from './explain.repository.js';
import { explanation } from './explanation.js';
import type { Explanation, ExplanationFacts, TreeFacts } from './explanation-facts.js';

/**
 * Maximum number of times that the row and the journal of an execution are read. Both are read again if the execution
 * advanced between the read of its row and the read of its journal.
 */
const MAX_TRIES = 5;

interface Explained {
  readonly execution: Execution;
  readonly explained: Explanation;
}

/** Collects the facts about an execution, and explains why the execution waits. */
@Injectable()
export class Explanations {
  constructor(
    @Inject(ReachableExecutions) private readonly executions: Pick<ReachableExecutions, 'read'>,
    @Inject(JournalRepository) private readonly journal: Pick<JournalRepository, 'whole'>,
    @Inject(PlanCache) private readonly plans: Pick<PlanCache, 'of'>,
    @Inject(QueuePositions) private readonly positions: Pick<QueuePositions, 'of'>,
    @Inject(ExplainRepository) private readonly repository: Pick<ExplainRepository, 'processes'>,
    @Inject(CancellationJobRepository)
    private readonly jobs: Pick<CancellationJobRepository, 'descendants' | 'endedAncestors'>,
    private readonly quarantine: CrashQuarantine,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'RUN_CONCURRENCY'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RunMemory) private readonly memory: Pick<RunMemory, 'isFull'>,
  ) {}

  /**
   * Explains an execution and adds a deadlock, if the execution is in one.
   *
   * @throws ExecutionNotFoundError if the execution does not exist
   * @throws ProjectOutOfReachError if the caller has no access to the project of the execution
   */
  async of(principal: Principal, id: string): Promise<Explained> {
    const { execution, explained } = await this.explain(principal, id);
    const deadlock = await findDeadlock(
      execution.id,
      explained,
      async (other) => (await this.explain(principal, other)).explained,
    );
    return { execution, explained: deadlock === null ? explained : withDeadlock(explained, deadlock) };
  }

  /** Explains an execution without searching for a deadlock. */
  private async explain(principal: Principal, id: string): Promise<Explained> {
    for (let tries = 1; ; tries += 1) {
      const execution = await this.executions.read(principal, id);
      const now = this.clock.now();
      const [events, { plan, unavailable }, processes, place, tree] = await Promise.all([
        this.journal.whole(id, 0),
        this.planOf(execution),
        this.repository.processes(),
        execution.admission === 'parked' ? this.positions.of(id, isoTime(now)) : null,
        this.treeOf(execution),
      ]);
      if (events.length !== execution.progress.lastSequence && tries < MAX_TRIES) continue;
      const capacity = this.settings.RUN_CONCURRENCY;
      const state = fold(events);
      const isMemoryFull = this.memory.isFull;
      const facts = {
        execution,
        state,
        events,
        plan,
        unavailable,
        processes,
        capacity,
        quarantine: this.quarantine,
        isMemoryFull,
        tree,
        place,
        now,
      };
      return { execution, explained: explanation(facts) };
    }
  }

  private async treeOf(execution: Execution): Promise<TreeFacts> {
    if (hasEnded(execution)) {
      const descendants = await this.jobs.descendants(execution);
      return { endedAncestor: null, descendants: descendants.unfinished === 0 ? null : descendants };
    }
    const ended = execution.parentId === null ? undefined : await this.jobs.endedAncestors([execution.id]);
    return { endedAncestor: ended?.get(execution.id) ?? null, descendants: null };
  }

  private async planOf({
    workflowId,
    workflowVersion,
  }: Execution): Promise<Pick<ExplanationFacts, 'plan' | 'unavailable'>> {
    try {
      const { plan } = await this.plans.of(workflowId, workflowVersion);
      return { plan, unavailable: null };
    } catch (error) {
      if (!(error instanceof PlanUnavailableError)) throw error;
      return { plan: { order: [], config: DEFAULT_CONFIG }, unavailable: error.message };
    }
  }
}
