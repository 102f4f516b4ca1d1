import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { type Actor, AuditTrail } from '../audit/index.js';
import { type ApproverRefusal, Approvers } from './approvers.js';
import { type ApproverRules, isFinal } from '../execution-events/index.js';
import { ExecutionChangedError } from '../execution-store/index.js';
import { type ExecutionState, fold, type NodeState } from '../engine/index.js';
import type { JsonObject } from '../expressions/index.js';
import { CLOCK, type Clock, defined, isoTime, newId } from '../platform/index.js';
import { Inbox } from '../inbox/index.js';
import { ApprovalExecutions } from './approval-executions.js';
import { waitStartOf } from './approval-wait.js';
import { ApprovalLinkMaker } from './approval-link.maker.js';
import {
  AlreadyDecidedError,
  ApprovalClosedError,
  ApprovalNotFoundError,
  NotAnApproverError,
} from './approvals.errors.js';
import type { Decision } from './approval-token.js';

/** Maximum number of tries to record a decision while the execution appends events. */
const MAX_TRIES = 20;

export interface ApprovalRequest {
  /** Name or email address of the person who started the execution; null if no person started it. */
  readonly by: string | null;
  readonly workflow: string;
  readonly executionId: string;
  /** Time until which the approval can be decided, in ISO 8601; null if there is no time limit. */
  readonly deadline: string | null;
}

/** The part of an approval that everyone with its link may see. */
interface PublicApproval {
  /** True if the link approves, false if it rejects. */
  readonly approved: boolean;
  readonly title: string;
  readonly description: string | null;
  readonly request: ApprovalRequest;
}

/** Reason why an approval can no longer be decided. */
type ClosedKind = 'decided' | 'expired' | 'finished';

/**
 * State of an approval that the page of its link shows. Only an approval of the kind `open` can still be
 * decided.
 */
export type Approval =
  | { readonly kind: 'unknown' }
  | ({ readonly kind: 'open' | 'recorded' | ClosedKind } & PublicApproval)
  | ({
      readonly kind: 'sign_in';
      readonly url: string;
    } & PublicApproval);

export interface ReadApproval extends PublicApproval {
  readonly kind: 'open' | ClosedKind;
  readonly executionId: string;
  readonly nodeId: string;
  readonly approvers: ApproverRules | null;
  /** Reason why the caller may not decide; null if the caller may decide. */
  readonly refusal: ApproverRefusal | null;
}

/** The approval that a link names, as read from its execution. */
interface LinkedApproval extends PublicApproval {
  readonly kind: 'open' | ClosedKind;
  readonly decision: Decision;
  readonly signal: string;
  readonly approvers: ApproverRules | null;
  readonly state: ExecutionState;
}

/**
 * Who decides an approval: somebody with the link who is not signed in, a person in the dashboard, or an API
 * key.
 */
interface Decider {
  readonly via: 'link' | 'dashboard' | 'api';
  readonly by: JsonObject | null;
  readonly actor: Actor;
  readonly comment?: string;
}

/** Decides approvals by signed links. If an approval names its approvers, the person must also be signed in. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly links: ApprovalLinkMaker,
    private readonly approvers: Approvers,
    private readonly executions: ApprovalExecutions,
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async readByToken(token: string): Promise<Approval> {
    const found = await this.find(token);
    return found === null ? { kind: 'unknown' } : this.toApproval(token, found);
  }

  /**
   * Decides an approval by its link. Resolves after the commit.
   * @returns the recorded decision, or the reason why no decision is possible
   * @throws ExecutionChangedError
   */
  async decide(token: string, address: string): Promise<Approval> {
    const found = await this.find(token);
    if (found === null) return { kind: 'unknown' };
    const approval = this.toApproval(token, found);
    if (approval.kind !== 'open') return approval;
    const actor = { userId: null, keyId: null, address };
    return { ...approval, kind: await this.record(found, { via: 'link', by: null, actor }) };
  }

  /** @throws ApprovalNotFoundError; ExecutionNotFoundError; ProjectOutOfReachError. */
  async read(principal: Principal, token: string): Promise<ReadApproval> {
    return (await this.findAs(principal, token)).approval;
  }

  /**
   * Decides an approval as an authenticated caller. Resolves after the commit.
   * @throws NotAnApproverError; AlreadyDecidedError; ApprovalClosedError; ExecutionChangedError, and the errors of
   * `read`.
   */
  async decideAs(principal: Principal, token: string, comment?: string): Promise<ReadApproval> {
    const { found, approval } = await this.findAs(principal, token);
    if (approval.refusal !== null) throw new NotAnApproverError(approval.refusal);
    const decider = {
      via: principal.keyId === null ? 'dashboard' : 'api',
      by: await this.executions.personOf(principal),
      actor: principal,
      ...defined({ comment }),
    } as const;
    const kind = found.kind === 'open' ? await this.record(found, decider) : found.kind;
    if (kind === 'decided') throw new AlreadyDecidedError();
    if (kind !== 'recorded') throw new ApprovalClosedError();
    return { ...approval, kind: 'decided' };
  }

  /** @throws ApprovalNotFoundError; ExecutionNotFoundError; ProjectOutOfReachError. */
  private async findAs(
    principal: Principal,
    token: string,
  ): Promise<{ readonly found: LinkedApproval; readonly approval: ReadApproval }> {
    const found = await this.find(token);
    if (found === null) throw new ApprovalNotFoundError();
    const { decision, approvers, kind, approved, title, description, request } = found;
    const { executionId, nodeId } = decision;
    const execution = await this.executions.reach(principal, executionId);
    const refusal = await this.approvers.refusal(principal, approvers, execution);
    const approval = { kind, approved, title, description, request, executionId, nodeId, approvers, refusal };
    return { found, approval };
  }

  /**
   * Records the decision about an open approval. The commit requires that no event was appended since `found` was read:
   * an earlier decision that the execution has consumed is no longer in the inbox.
   * @returns `recorded`, or the kind of the approval if it is no longer open
   * @throws ExecutionChangedError if events were appended during every try
   */
  private async record(found: LinkedApproval, decider: Decider): Promise<'recorded' | ClosedKind> {
    const { executionId, nodeId, attempt } = found.decision;
    let { state } = found;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      try {
        await this.deliver(found, state.sequence, decider);
        return 'recorded';
      } catch (error) {
        if (error instanceof AlreadyDecidedError) return 'decided';
        if (!(error instanceof ExecutionChangedError)) throw error;
      }
      state = fold(await this.executions.journalOf(executionId, state.sequence), state);
      const kind = kindOf(state, state.nodes.get(nodeId), attempt);
      if (kind !== 'open') return kind;
    }
    throw new ExecutionChangedError();
  }

  private async deliver(
    { decision, signal }: LinkedApproval,
    sequence: number,
    { via, by, actor, comment }: Decider,
  ): Promise<void> {
    const { executionId, nodeId, attempt, approved } = decision;
    const { address } = actor;
    const payload = defined({ approved, at: isoTime(this.clock.now()), via, by, address, comment });
    const teamAndProject = await this.executions.teamAndProjectOf(executionId);
    const entry = this.audit.entry(actor, {
      ...teamAndProject,
      action: 'approval.decided',
      target: { type: 'execution', id: executionId },
      after: { node_id: nodeId, attempt, ...payload },
    });
    await this.inbox.deliver(
      executionId,
      { id: newId(), kind: 'signal', name: signal, payload, to: { nodeId, attempt } },
      {
        also: [entry, this.executions.unchanged(executionId, sequence)],
        onDuplicate: () => new AlreadyDecidedError(),
      },
    );
  }

  private toApproval(
    token: string,
    { kind, approved, title, description, request, approvers }: LinkedApproval,
  ): Approval {
    const details = { approved, title, description, request };
    if (kind === 'open' && approvers !== null)
      return { kind: 'sign_in', url: this.links.dashboardUrl(token), ...details };
    return { kind, ...details };
  }

  private async find(token: string): Promise<LinkedApproval | null> {
    const decision = await this.links.read(token);
    if (decision === null) return null;
    const { executionId, nodeId, attempt, approved } = decision;
    const events = await this.executions.journalOf(executionId);
    const waitStart = waitStartOf(events, nodeId, attempt);
    if (waitStart === undefined) return null;
    const state = fold(events);
    const pending = await this.inbox.read(executionId);
    const isPending = pending.some(
      ({ message }) =>
        message.kind === 'signal' && message.to?.nodeId === nodeId && message.to.attempt === attempt,
    );
    const kind = isPending ? 'decided' : kindOf(state, state.nodes.get(nodeId), attempt);
    const {
      title = '',
      description = null,
      signal = '',
      approvers = null,
      wake_at: deadline,
    } = waitStart.data;
    const request = { ...(await this.executions.requestOf(executionId, events)), executionId, deadline };
    return { kind, approved, title, description, request, approvers, decision, signal, state };
  }
}

function kindOf(state: ExecutionState, node: NodeState | undefined, attempt: number): 'open' | ClosedKind {
  if (node?.attempt !== attempt) return 'expired';
  if (node.status === 'completed' || node.status === 'running') return 'decided';
  if (node.status !== 'waiting') return 'expired';
  return isFinal(state.status) ? 'finished' : 'open';
}
