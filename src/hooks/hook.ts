import type { Json } from '../expressions/index.js';
import type { Verification } from './verification.js';

/** What a delivery does: start an execution, or signal one. */
export const HOOK_ACTIONS = ['start', 'signal'] as const;
export type HookAction = (typeof HOOK_ACTIONS)[number];

/** When a hook responds to a delivery: after the commit, or with the output of the execution. */
export const HOOK_RESPONSES = ['accepted', 'output'] as const;
export type HookResponse = (typeof HOOK_RESPONSES)[number];

export const HOOK_STATUSES = ['active', 'paused'] as const;
export type HookStatus = (typeof HOOK_STATUSES)[number];

export const HOOK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HookMethod = (typeof HOOK_METHODS)[number];

/** The name of a signal, and the execution that gets it. */
export interface HookSignal {
  readonly name: string;
  /** Template whose value is the deduplication key of the execution. */
  readonly executionKey: string;
}

/** A URL by which another system starts a workflow or signals an execution. */
export interface Hook {
  readonly id: string;
  readonly projectId: string;
  /** Id of the workflow. Null if the hook signals executions of any workflow of the project. */
  readonly workflowId: string | null;
  readonly name: string;
  readonly action: HookAction;
  readonly signal: HookSignal | null;
  readonly methods: readonly HookMethod[];
  readonly verification: Verification;
  /** Template of the execution's input, or of the signal's payload. */
  readonly input: Json;
  /**
   * Template of the key by which repeated deliveries are recognized. The key is also the deduplication key of the
   * execution. Null if the hook has no template.
   */
  readonly deduplication: string | null;
  readonly respond: HookResponse;
  readonly status: HookStatus;
  /** ISO 8601. */
  readonly lastDeliveryAt: string | null;
  /** First characters of the newest token, by which people recognize the hook's URL. */
  readonly tokenPrefix: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const DELIVERY_OUTCOMES = ['started', 'signalled', 'repeated', 'refused'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** Who sent the request: the other system, or a person by `POST /v1/hooks/{id}/test`. */
export const DELIVERY_SOURCES = ['sender', 'test'] as const;
export type DeliverySource = (typeof DELIVERY_SOURCES)[number];

/** A request that reached a hook, and its outcome. The body is not stored. */
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
   * HTTP status at the time of the record. With `respond: output`, the recorded status is 202, although the response
   * later has the status 200 or 502.
   */
  readonly status: number;
  /** Error code of a refused delivery; null if the delivery was accepted. */
  readonly code: string | null;
  readonly reason: string | null;
  /**
   * Key by which repeated deliveries are recognized: `webhook-id:...`, `x-github-delivery:...`, `idempotency-key:...`
   * or `deduplication:...`. Null if the request has no key.
   */
  readonly key: string | null;
  readonly executionId: string | null;
}
