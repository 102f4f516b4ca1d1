import { Inject, Injectable } from '@nestjs/common';
import {
  type ExecutionState,
  fold,
  isFinal,
  type JournalEvent,
  type NodeState,
  stateKey,
} from '../../engine/index.js';
import { JournalRepository } from '../../journal/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../../platform/index.js';
import { AlreadyDecidedError } from '../executions.errors.js';
import { Inbox } from '../inbox/inbox.js';
import { ApprovalLinkMaker } from './approval-link.maker.js';
import type { Decision } from './approval-token.js';

/** What became of a link, and what it is about as far as that may be told. */
export type Approval =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'open' | 'recorded' | 'decided' | 'expired' | 'finished';
      readonly approved: boolean;
      readonly title: string;
      readonly description: string | null;
    };

interface OpenWait {
  readonly decision: Decision;
  readonly signal: string;
}

/** Decisions of people by signed links. Whoever has a link may use it: nothing else is asked for. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly links: ApprovalLinkMaker,
    private readonly journal: JournalRepository,
    private readonly inbox: Inbox,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** What a link is about; looking decides nothing. */
  async look(token: string): Promise<Approval> {
    return (await this.find(token)).approval;
  }

  /** Uses a link. Resolves when the decision is durable, or to why there is nothing to decide. */
  async decide(token: string): Promise<Approval> {
    const { approval, wait } = await this.find(token);
    if (approval.kind !== 'open' || wait === null) return approval;
    const { executionId, nodeId, attempt, approved } = wait.decision;
    const at = isoTime(this.clock.now());
    try {
      await this.inbox.deliver(
        executionId,
        {
          id: newId(),
          kind: 'signal',
          name: wait.signal,
          payload: { approved, at, via: 'link' },
          to: { nodeId, attempt },
        },
        { onDuplicate: () => new AlreadyDecidedError() },
      );
      return { ...approval, kind: 'recorded' };
    } catch (error) {
      if (!(error instanceof AlreadyDecidedError)) throw error;
      return { ...approval, kind: 'decided' };
    }
  }

  private async find(
    token: string,
  ): Promise<{ readonly approval: Approval; readonly wait: OpenWait | null }> {
    const decision = await this.links.read(token);
    if (decision === null) return UNKNOWN;
    const { executionId, nodeId, attempt, approved } = decision;
    const events = await this.journal.whole(executionId, 0);
    const asked = events.findLast((event) => isAsking(event, nodeId, attempt));
    if (asked?.type !== 'workflow.node.waiting') return UNKNOWN;
    const state = fold(events);
    const node = state.nodes.get(nodeId);
    const pending = await this.inbox.read(executionId);
    const isPending = pending.some(
      ({ message }) =>
        message.kind === 'signal' && message.to?.nodeId === nodeId && message.to.attempt === attempt,
    );
    const kind = isPending ? 'decided' : kindOf(state, node, attempt);
    const { title = '', description = null, signal = '' } = asked.data;
    return { approval: { kind, approved, title, description }, wait: { decision, signal } };
  }
}

const UNKNOWN = { approval: { kind: 'unknown' }, wait: null } as const;

function isAsking(event: JournalEvent, nodeId: string, attempt: number): boolean {
  if (event.type !== 'workflow.node.waiting' || event.attempt !== attempt) return false;
  const { iteration_of: of = null, iteration } = event.data;
  return stateKey(event.nodeId, of, iteration) === nodeId;
}

function kindOf(
  state: ExecutionState,
  node: NodeState | undefined,
  attempt: number,
): 'open' | 'decided' | 'expired' | 'finished' {
  if (node?.attempt !== attempt) return 'expired';
  if (node.status === 'completed' || node.status === 'running') return 'decided';
  if (node.status !== 'waiting') return 'expired';
  return isFinal(state.status) ? 'finished' : 'open';
}
