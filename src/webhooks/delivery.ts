export const DELIVERY_STATUSES = ['delivered', 'retrying', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface DeliveryAttempt {
  /** ISO 8601. */
  readonly at: string;
  /** HTTP status of the response. Null if the endpoint sent no response. */
  readonly statusCode: number | null;
  /** Why the attempt failed. Null if the attempt succeeded. */
  readonly error: string | null;
  /** The first 1,024 bytes of the response body. Null if the endpoint sent no response. */
  readonly responseBody: string | null;
  readonly durationMs: number;
}

/** Delivery of one event to one webhook, with its attempts. Kept for seven days. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Id of the event's execution. Null for a test event, which belongs to no execution. */
  readonly executionId: string | null;
  readonly sequence: number | null;
  readonly status: DeliveryStatus;
  readonly attempts: readonly DeliveryAttempt[];
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Scheduled retry of an event whose delivery failed. Later events of the execution wait until the retry has ended. */
export interface Retry {
  readonly webhookId: string;
  readonly executionId: string;
  /** Sequence of the execution's last event that was delivered or given up. The retry continues after this event. */
  readonly afterSequence: number;
  readonly position: number;
  readonly deliveryId: string;
  /** Number of failed attempts to send the event. 0 if the retry continues with an event that was not yet sent. */
  readonly attempts: number;
  readonly nextAttemptAt: string;
}
