import { ApiProperty } from '@nestjs/swagger';
import { OptionalText } from '../fields/index.js';
import { BodyMayBeAbsent } from '../http/index.js';
import type { ApproverRefusal } from './approvers.js';
import type { ApproverRules } from '../execution-events/index.js';
import type { ReadApproval } from './approvals.service.js';

const MAX_COMMENT = 2000;

@BodyMayBeAbsent()
export class DecideApprovalBody {
  /** Reason for the decision. The reason becomes part of the node's output and of the audit log. */
  @OptionalText({ minLength: 1, maxLength: MAX_COMMENT, example: 'Checked the receipt.' })
  comment?: string;
}

/** An approval as the API returns it. */
export class ApprovalView {
  @ApiProperty({ type: 'string', format: 'uuid', example: '0199a8c0-3333-7abc-8def-0123456789ab' })
  execution_id: string;

  /** Key of the node that waits for the decision, such as `ask`, or `each[3].ask` inside a loop. */
  @ApiProperty({ type: 'string', example: 'ask' })
  node_id: string;

  @ApiProperty({ type: 'string', example: 'Refund order 4711?' })
  title: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'It came broken.' })
  description: string | null;

  /** The decision that this approval link makes. */
  @ApiProperty({ enum: ['approve', 'reject'], example: 'approve' })
  decision: 'approve' | 'reject';

  @ApiProperty({ enum: ['open', 'decided', 'expired', 'finished'], example: 'open' })
  status: 'open' | 'decided' | 'expired' | 'finished';

  /**
   * Name of the person who started the execution, or the email address of a person without a name; null if no person
   * started it.
   */
  @ApiProperty({ type: 'string', nullable: true, example: 'Ada Lovelace' })
  requested_by: string | null;

  @ApiProperty({ type: 'string', example: 'Refunds' })
  workflow_name: string;

  /** Time until which the approval can be decided; null if there is no time limit. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: '2026-11-21T10:00:00.000Z' })
  expires_at: string | null;

  /** Rules for who may decide the approval; null if everyone with the link may decide. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { roles: ['admin'] } })
  approvers: ApproverRules | null;

  /** Reason why the caller may not decide; null if the caller may decide. */
  @ApiProperty({ enum: ['sign_in_needed', 'not_named', 'is_starter'], nullable: true, example: null })
  refusal: ApproverRefusal | null;
}

export function approvalView(approval: ReadApproval): ApprovalView {
  return {
    execution_id: approval.executionId,
    node_id: approval.nodeId,
    title: approval.title,
    description: approval.description,
    decision: approval.approved ? 'approve' : 'reject',
    status: approval.kind,
    requested_by: approval.request.by,
    workflow_name: approval.request.workflow,
    expires_at: approval.request.deadline,
    approvers: approval.approvers,
    refusal: approval.refusal,
  };
}
