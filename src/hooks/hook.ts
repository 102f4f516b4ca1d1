import type { Json } from '../expressions/index.js';
import type { Verification } from './verification.js';

/** What a request to a hook does: start an execution, or signal an existing execution. */
export const HOOK_ACTIONS = ['start', 'signal'] as const;
export type HookAction = (typeof HOOK_ACTIONS)[number];

export const HOOK_RESPONSES = ['accepted', 'output'] as const;
export type HookResponse = (typeof HOOK_RESPONSES)[number];

export const HOOK_STATUSES = ['active', 'paused'] as const;
export type HookStatus = (typeof HOOK_STATUSES)[number];

export const HOOK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HookMethod = (typeof HOOK_METHODS)[number];

export interface HookSignal {
  readonly name: string;
  readonly executionKey: string;
}

/** A hook: a URL by which another system starts a workflow or signals an execution. */
export interface Hook {
  readonly id: string;
  readonly projectId: string;
  /**
   * Id of the workflow that the hook starts or signals. Null if the hook signals executions of all workflows in the
   * project.
   */
  readonly workflowId: string | null;
  readonly name: string;
  readonly action: HookAction;
  readonly signal: HookSignal | null;
  readonly methods: readonly HookMethod[];
  readonly verification: Verification;
  /** Template for the input of the execution, or for the payload of the signal. */
  readonly input: Json;
  /**
   * Template for the key that identifies repeated deliveries. The key is also the deduplication key of a started
   * execution. Null if the hook has no such template.
   */
  readonly deduplication: string | null;
  readonly respond: HookResponse;
  readonly status: HookStatus;
  /** ISO 8601. */
  readonly lastDeliveryAt: string | null;
  /** First characters of the newest token, by which people recognize the URL of the hook. */
  readonly tokenPrefix: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const DELIVERY_OUTCOMES = ['started', 'signalled', 'repeated', 'refused'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** Source of a delivery. `sender`: a request from another system. `test`: a request to `POST /v1/hooks/{id}/test`. */
export const DELIVERY_SOURCES = ['sender', 'test'] as const;
export type DeliverySource = (typeof DELIVERY_SOURCES)[number];

export interface Delivery {
  readonly id: string;
  readonly hookId: string;
  readonly receivedAt: string;
  readonly method: string;
  readonly address: string;
  readonly contentType: string | null;
  readonly sizeBytes: number;
  readonly source: DeliverySource;
  readonly outcome: DeliveryOutcome;
  /**
   * HTTP status when the delivery was recorded. With `respond: output`, the response follows later and may have another
   * status.
   */
  readonly status: number;
  /** Error code of a refused delivery. Null if the delivery was not refused. */
  readonly code: string | null;
  readonly reason: string | null;
  /**
   * Key that identifies repeated deliveries, such as `webhook-id:...` or `deduplication:...`. Null if the delivery has
   * no key.
   */
  readonly key: string | null;
  readonly executionId: string | null;
}
