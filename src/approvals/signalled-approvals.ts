import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../access/index.js';
import { type Actor, AuditTrail } from '../audit/index.js';
import { fold, type NodeState } from '../engine/index.js';
import type { Execution } from '../execution-store/index.js';
import { Inbox } from '../inbox/index.js';
import { isJsonObject, type Json } from '../expressions/index.js';
import type { Write } from '../storage/index.js';
import { PlanCache } from '../workflows/index.js';
import { ApprovalExecutions } from './approval-executions.js';
import { waitStartOf } from './approval-wait.js';
import { NotAnApproverError } from './approvals.errors.js';

/** Maximum number of workflow versions for which the cache stores whether they have approvals. */
const CAPACITY = 1_000;

/** The sender of a signal: an authenticated caller, or a hook that acts for its team. */
export type Signaller = Actor & Pick<Principal, 'teamId'>;

/**
 * Handles signals that decide approvals. A signal decides an approval if the approval waits for a signal with this
 * name.
 */
@Injectable()
export class SignalledApprovals {
  private readonly known = new LRUCache<string, boolean>({ max: CAPACITY });

  constructor(
    private readonly plans: PlanCache,
    private readonly executions: ApprovalExecutions,
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Returns the audit entry for the approval that a signal decides; empty if the signal decides no approval. The commit
   * of the signal stores the entry.
   * @throws NotAnApproverError if every approval that waits for the signal is restricted to named approvers, because a
   *   signal does not prove who sent it
   */
  async entries(
    signaller: Signaller,
    execution: Execution,
    name: string,
    payload: Json,
  ): Promise<readonly Write[]> {
    // Most signals go to workflows without approvals. For such workflows, the journal is not read.
    if (!(await this.hasApprovals(execution))) return [];
    const events = await this.executions.journalOf(execution.id);
    const waits = [...fold(events).nodes].filter(([, node]) => awaits(node, name));
    const open = waits.find(([, node]) => !isRestricted(node));
    if (waits.length > 0 && open === undefined) throw new NotAnApproverError('sign_in_needed');
    if (open === undefined || (await this.isSignalled(execution.id, name))) return [];
    const [nodeId, { attempt }] = open;
    // Only approvals have a title. Other nodes can also wait for a signal.
    if (waitStartOf(events, nodeId, attempt)?.data.title === undefined) return [];
    const entry = this.audit.entry(signaller, {
      teamId: signaller.teamId,
      projectId: execution.projectId,
      action: 'approval.decided',
      target: { type: 'execution', id: execution.id },
      after: { node_id: nodeId, attempt, approved: approvedBy(payload), via: 'signal' },
    });
    return [entry];
  }

  /**
   * Whether an earlier signal with this name is still unread. The waiting node will consume the earlier signal, so the
   * new signal cannot decide the approval.
   */
  private async isSignalled(executionId: string, name: string): Promise<boolean> {
    const unread = await this.inbox.read(executionId);
    return unread.some(({ message }) => message.kind === 'signal' && message.name === name);
  }

  private async hasApprovals({ workflowId, workflowVersion }: Execution): Promise<boolean> {
    const key = `${workflowId}:${workflowVersion}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const definition = await this.plans.definition(workflowId, workflowVersion);
    const found = JSON.stringify(definition ?? null).includes('"approval"');
    this.known.set(key, found);
    return found;
  }
}

function awaits({ status, awaits: awaited }: NodeState, name: string): boolean {
  return status === 'waiting' && awaited?.kind === 'signal' && awaited.name === name;
}

function isRestricted({ awaits: awaited }: NodeState): boolean {
  return awaited?.kind === 'signal' && awaited.isAddressed === true;
}

/** Returns whether the payload of a signal approves; null if the payload contains no decision. */
function approvedBy(payload: Json): boolean | null {
  const approved = isJsonObject(payload) ? payload['approved'] : null;
  return typeof approved === 'boolean' ? approved : null;
}
