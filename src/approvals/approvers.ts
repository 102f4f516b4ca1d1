import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import type { ApproverRules, Trigger } from '../execution-events/index.js';
import { JournalRepository } from '../journal/index.js';
import { UsersService } from '../users/index.js';
import { type Execution, ExecutionRepository } from '../execution-store/index.js';

export type ApproverRefusal = 'sign_in_needed' | 'not_named' | 'is_starter';

@Injectable()
export class Approvers {
  constructor(
    private readonly users: UsersService,
    private readonly executions: ExecutionRepository,
    private readonly journal: JournalRepository,
  ) {}

  /**
   * Returns the reason why a caller may not decide an approval; null if the caller may decide.
   * @param list rules that name the approvers; null if everyone with the link may decide
   */
  async refusal(
    principal: Principal,
    list: ApproverRules | null,
    execution: Execution,
  ): Promise<ApproverRefusal | null> {
    if (list === null) return null;
    if (principal.keyId !== null) return 'sign_in_needed';
    if (!(await this.isNamed(principal, list))) return 'not_named';
    const isExcluded =
      list.exclude_starter === true && (await this.startersOf(execution)).has(principal.userId);
    return isExcluded ? 'is_starter' : null;
  }

  private async isNamed({ userId, role }: Principal, { users, roles }: ApproverRules): Promise<boolean> {
    if (users === undefined && roles === undefined) return true;
    if (roles?.includes(role) === true) return true;
    if (users === undefined) return false;
    const names = users.map((name) => name.trim().toLowerCase());
    if (names.includes(userId)) return true;
    const user = await this.users.find(userId);
    return user !== null && names.includes(user.email);
  }

  /**
   * Returns the ids of the people who started an execution or one of its predecessors. The predecessor of a retry is
   * the retried execution, and the predecessor of a child is its parent.
   */
  private async startersOf(execution: Execution): Promise<ReadonlySet<string>> {
    const starters = new Set<string>();
    let current: Execution | undefined = execution;
    while (current !== undefined) {
      const [first] = (await this.journal.ofExecution(current.id, 0, 1)).batches;
      const trigger = (first?.events[0]?.data as { readonly trigger?: Trigger } | undefined)?.trigger;
      const starter = trigger?.user_id ?? trigger?.id ?? null;
      if (starter !== null) starters.add(starter);
      const aboveId: string | null = current.retryOf ?? current.parentId;
      current = aboveId === null ? undefined : await this.executions.find(aboveId);
    }
    return starters;
  }
}
