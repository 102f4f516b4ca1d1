import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';
import type { ApproverRefusal } from './approvers.js';

/** Thrown when this service did not sign an approval's token. */
export class ApprovalNotFoundError extends NotFoundError {
  constructor() {
    super('approval');
  }
}

/** Thrown when an approval can no longer be decided: it timed out, or its execution has ended. */
export class ApprovalClosedError extends ConflictError {
  constructor() {
    super(
      'approval_closed',
      'This approval can no longer be decided: its time is over or its execution ended.',
    );
  }
}

const REASONS: Readonly<Record<ApproverRefusal, string>> = {
  sign_in_needed: 'This approval is decided by a person who is signed in to the dashboard.',
  not_named: 'You are not among the approvers of this decision.',
  is_starter: 'The person who started the execution cannot decide this approval.',
};

/** Thrown when a person or a key may not decide an approval. */
export class NotAnApproverError extends PermissionError {
  constructor(refusal: ApproverRefusal) {
    super(REASONS[refusal], refusal === 'sign_in_needed' ? 'sign_in_needed' : 'not_an_approver');
  }
}

/** Thrown when a wait is already decided. */
export class AlreadyDecidedError extends ConflictError {
  constructor() {
    super('already_decided', 'This was decided before.');
  }
}
