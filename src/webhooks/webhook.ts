export const WEBHOOK_STATUSES = ['active', 'paused', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

export const WEBHOOK_FORMATS = ['envelope', 'cloudevents'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Journal positions that a webhook leaves out: after `from`, up to and including `to`. */
export interface PositionRange {
  readonly from: number;
  readonly to: number;
}

/** Sends the events of one project to an endpoint. Times are ISO 8601. */
export interface Webhook {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly description: string;
  /** Event types; `workflow.*` stands for every type that begins with `workflow.`. */
  readonly events: readonly string[];
  /** Null for every workflow of the project. */
  readonly workflowIds: readonly string[] | null;
  /** A CEL condition over `event`. */
  readonly filter: string | null;
  readonly format: WebhookFormat;
  readonly status: WebhookStatus;
  readonly statusReason: string | null;
  /** Time of the first failed attempt since the last successful one. */
  readonly failingSince: string | null;
  readonly deliveredTotal: number;
  readonly failedTotal: number;
  /** Sealed. */
  readonly secret: string;
  /** Sealed; signs beside the current secret until `oldSecretUntil`. */
  readonly oldSecret: string | null;
  readonly oldSecretUntil: string | null;
  /** Every event up to this journal position is delivered, given up, or held back by a retry row. */
  readonly cursorPosition: number;
  /** The end of the journal when the webhook stopped being active; null while it is active. */
  readonly inactiveFrom: number | null;
  readonly skipped: readonly PositionRange[];
  /** The process that delivers at present. */
  readonly leaseOwner: string | null;
  readonly leaseUntil: string | null;
  /** Fencing token: grows with each holder, and fences the holder when a client moves the cursor. */
  readonly leaseEpoch: number;
  /** When the next retry is due, while no process holds the lease. */
  readonly dueAt: string | null;
  /** Grows with each change by a client: the entity tag. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Context of `Encryption` for the secrets of a webhook. */
export function sealContext(webhookId: string): string {
  return `webhook:${webhookId}`;
}

/** Whether a position lies in one of the ranges that a webhook leaves out. */
export function isSkipped(ranges: readonly PositionRange[], position: number): boolean {
  return ranges.some(({ from, to }) => position > from && position <= to);
}
