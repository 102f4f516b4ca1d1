import { Injectable } from '@nestjs/common';
import type { ApprovalLinks } from '../../engine/index.js';
import { Port } from '../../platform/index.js';

/** An attempt of a node that waits for an approval. */
export interface ApprovalAttempt {
  readonly executionId: string;
  /** Id of the node. Inside a loop, the id also contains the loop and the index of the item, as in `each[3].call`. */
  readonly nodeId: string;
  readonly attempt: number;
}

/** Creates the signed links with which people approve or reject. */
export interface ApprovalLinkIssuer {
  of(attempt: ApprovalAttempt): Promise<ApprovalLinks>;
}

@Injectable()
export class ApprovalLinksPort extends Port<ApprovalLinkIssuer> {}
