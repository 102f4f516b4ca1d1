export const WEBHOOK_STATUSES = ['active', 'paused', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

export const WEBHOOK_FORMATS = ['envelope', 'cloudevents'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Range of journal positions whose events a webhook skips: after `from`, up to and including `to`. */
export interface PositionRange {
  readonly from: number;
  readonly to: number;
}

/** Subscription that sends events of one project to an endpoint. All times are ISO 8601. */
export interface Webhook {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly description: string;
  /** Types of the events to send. `workflow.*` stands for every type that begins with `workflow.`. */
  readonly events: readonly string[];
  /** Ids of the workflows whose events are sent. Null for every workflow of the project. */
  readonly workflowIds: readonly string[] | null;
  /** A CEL condition over the variable `event`. Null if all events are sent. */
  readonly filter: string | null;
  readonly format: WebhookFormat;
  readonly status: WebhookStatus;
  readonly statusReason: string | null;
  /** Time of the first failed attempt since the last successful attempt. Null if the last attempt succeeded. */
  readonly failingSince: string | null;
  readonly deliveredTotal: number;
  readonly failedTotal: number;
  /** Encrypted. */
  readonly secret: string;
  /** The previous signing secret, encrypted. Deliveries are also signed with this secret until `oldSecretUntil`. */
  readonly oldSecret: string | null;
  readonly oldSecretUntil: string | null;
  /** Journal position up to which every event is delivered, given up, or waits for a retry. */
  readonly cursorPosition: number;
  /** End of the journal at the time when the webhook was paused or disabled. Null for an active webhook. */
  readonly inactiveFrom: number | null;
  readonly skipped: readonly PositionRange[];
  /** Id of the process that last took the webhook's lease. Null if no process has taken the lease yet. */
  readonly leaseOwner: string | null;
  readonly leaseUntil: string | null;
  /** Fencing token of the lease. Each new lease holder and each move of the cursor increments the token. */
  readonly leaseEpoch: number;
  /** Time at which the next retry is due. Set only while no process holds the lease. */
  readonly dueAt: string | null;
  /** Number of the webhook's revision, used as the entity tag. Each change by a client increments the number. */
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
