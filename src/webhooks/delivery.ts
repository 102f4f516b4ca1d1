export const DELIVERY_STATUSES = ['delivered', 'retrying', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface DeliveryAttempt {
  /** ISO 8601. */
  readonly at: string;
  /** HTTP status of the response. Null without a response. */
  readonly statusCode: number | null;
  /** Why the attempt failed. Null for a successful attempt. */
  readonly error: string | null;
  /** The first 1,024 bytes of the response body. */
  readonly responseBody: string | null;
  readonly durationMs: number;
}

/** State of one event at one webhook, kept for seven days. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Null for a test event, which belongs to no execution. */
  readonly executionId: string | null;
  readonly sequence: number | null;
  readonly status: DeliveryStatus;
  readonly attempts: readonly DeliveryAttempt[];
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The retry of an execution's failed event. Later events of the execution wait for this retry. */
export interface Retry {
  readonly webhookId: string;
  readonly executionId: string;
  /** Sequence of the execution's last event that was delivered or given up. */
  readonly afterSequence: number;
  readonly position: number;
  readonly deliveryId: string;
  /** Number of failed attempts for the event. 0 if the next event of the execution is due. */
  readonly attempts: number;
  readonly nextAttemptAt: string;
}
