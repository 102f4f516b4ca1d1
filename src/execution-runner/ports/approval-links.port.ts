import { Injectable } from '@nestjs/common';
import type { ApprovalLinks } from '../../engine/index.js';
import { Port } from '../../platform/index.js';

/** One attempt of a node that waits for an approval. */
export interface ApprovalAttempt {
  readonly executionId: string;
  /** Id of the node, with the index of the item if the node is inside a loop. */
  readonly nodeId: string;
  readonly attempt: number;
}

/** Creates the links with which people approve or reject. */
export interface ApprovalLinkIssuer {
  of(attempt: ApprovalAttempt): Promise<ApprovalLinks>;
}

@Injectable()
export class ApprovalLinksPort extends Port<ApprovalLinkIssuer> {}
