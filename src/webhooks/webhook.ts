export const WEBHOOK_STATUSES = ['active', 'paused', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

export const WEBHOOK_FORMATS = ['envelope', 'cloudevents'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Journal positions that a webhook skips: after `from`, up to and including `to`. */
export interface PositionRange {
  readonly from: number;
  readonly to: number;
}

/** Sends events of one project to an endpoint. Times are ISO 8601. */
export interface Webhook {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly description: string;
  /** Event types. `workflow.*` stands for every type that begins with `workflow.`. */
  readonly events: readonly string[];
  /** Workflows whose events are sent. Null for every workflow of the project. */
  readonly workflowIds: readonly string[] | null;
  /** A CEL condition over `event`. */
  readonly filter: string | null;
  readonly format: WebhookFormat;
  readonly status: WebhookStatus;
  readonly statusReason: string | null;
  /** Time of the first failed attempt since the last successful attempt. */
  readonly failingSince: string | null;
  readonly deliveredTotal: number;
  readonly failedTotal: number;
  /** Encrypted. */
  readonly secret: string;
  /** Encrypted earlier secret, which also signs until `oldSecretUntil`. */
  readonly oldSecret: string | null;
  readonly oldSecretUntil: string | null;
  /** Every event up to this journal position is delivered, given up, or waits for a retry. */
  readonly cursorPosition: number;
  /** End of the journal when the webhook stopped being active. Null for an active webhook. */
  readonly inactiveFrom: number | null;
  readonly skipped: readonly PositionRange[];
  /** Id of the delivering process, which holds the lease. Null for none. */
  readonly leaseOwner: string | null;
  readonly leaseUntil: string | null;
  /** Fencing token, incremented by each new lease holder and by each move of the cursor. */
  readonly leaseEpoch: number;
  /** Due time of the next retry, while no process holds the lease. */
  readonly dueAt: string | null;
  /** Incremented by each change of a client. Used as the entity tag. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export function sealContext(webhookId: string): string {
  return `webhook:${webhookId}`;
}

export function isSkipped(ranges: readonly PositionRange[], position: number): boolean {
  return ranges.some(({ from, to }) => position > from && position <= to);
}
