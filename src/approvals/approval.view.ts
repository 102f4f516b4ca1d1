import { ApiProperty } from '@nestjs/swagger';
import type { ApproverRefusal } from './approvers.js';
import type { ApproverRules } from '../execution-events/index.js';
import type { ReadApproval } from './approvals.service.js';

/** An approval as the API returns it. */
export class ApprovalView {
  @ApiProperty({ type: 'string', format: 'uuid', example: '0199a8c0-3333-7abc-8def-0123456789ab' })
  execution_id: string;

  /** `ask`, or `each[3].ask` inside a loop. */
  @ApiProperty({ type: 'string', example: 'ask' })
  node_id: string;

  @ApiProperty({ type: 'string', example: 'Refund order 4711?' })
  title: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'It came broken.' })
  description: string | null;

  /** Whether a request with this token approves or rejects. */
  @ApiProperty({ enum: ['approve', 'reject'], example: 'approve' })
  decision: 'approve' | 'reject';

  @ApiProperty({ enum: ['open', 'decided', 'expired', 'finished'], example: 'open' })
  status: 'open' | 'decided' | 'expired' | 'finished';

  /** Who may decide; null if the link suffices. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { roles: ['admin'] } })
  approvers: ApproverRules | null;

  /** Why the caller may not decide; null if they may. */
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
    approvers: approval.approvers,
    refusal: approval.refusal,
  };
}
