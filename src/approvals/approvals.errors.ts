import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';
import type { ApproverRefusal } from './approvers.js';

/** Thrown when this service did not sign the token of an approval, or when the approval does not exist. */
export class ApprovalNotFoundError extends NotFoundError {
  constructor() {
    super('approval');
  }
}

/** Thrown when an approval can no longer be decided, because its wait has timed out or its execution has ended. */
export class ApprovalClosedError extends ConflictError {
  constructor() {
    super(
      'approval_closed',
      'This approval can no longer be decided: its deadline has passed or its execution has ended.',
    );
  }
}

const REASONS: Readonly<Record<ApproverRefusal, string>> = {
  sign_in_needed: 'Sign in to the dashboard to decide this approval.',
  not_named: 'You are not one of the approvers of this decision.',
  is_starter: 'The person who started the execution cannot decide this approval.',
};

export class NotAnApproverError extends PermissionError {
  constructor(refusal: ApproverRefusal) {
    super(REASONS[refusal], refusal === 'sign_in_needed' ? 'sign_in_needed' : 'not_an_approver');
  }
}

export class AlreadyDecidedError extends ConflictError {
  constructor() {
    super('already_decided', 'This approval was already decided.');
  }
}
