export const DELIVERY_STATUSES = ['delivered', 'retrying', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One request to an endpoint and its response. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  readonly at: string;
  /** HTTP status of the response; null if there was no response. */
  readonly statusCode: number | null;
  /** Why the attempt failed; null if it succeeded. */
  readonly error: string | null;
  /** The first 1,024 bytes of the response body. */
  readonly responseBody: string | null;
  readonly durationMs: number;
}

/** State of one event at one webhook. Kept for seven days. */
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

/** The retry row of an execution. The events of the execution after `afterSequence` wait for the failed event. */
export interface Retry {
  readonly webhookId: string;
  readonly executionId: string;
  /** Sequence of the execution's last event that is delivered or given up. */
  readonly afterSequence: number;
  /** Journal position of the failed event. */
  readonly position: number;
  readonly deliveryId: string;
  /** Number of failed attempts for the event; 0 if the next event of the execution is due. */
  readonly attempts: number;
  readonly nextAttemptAt: string;
}
