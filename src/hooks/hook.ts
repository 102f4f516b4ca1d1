import type { Json } from '../expressions/index.js';
import type { Verification } from './verification.js';

/** What a delivery does: start an execution, or signal one. */
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

/** A URL that lets another system start a workflow or signal an execution. */
export interface Hook {
  readonly id: string;
  readonly projectId: string;
  /** Null if the hook signals executions of any workflow of the project. */
  readonly workflowId: string | null;
  readonly name: string;
  readonly action: HookAction;
  readonly signal: HookSignal | null;
  readonly methods: readonly HookMethod[];
  readonly verification: Verification;
  /** Template of the execution's input or of the signal's payload. */
  readonly input: Json;
  /** Template of the key that identifies repeated deliveries. The key is also the execution's deduplication key. */
  readonly deduplication: string | null;
  readonly respond: HookResponse;
  readonly status: HookStatus;
  /** ISO 8601. */
  readonly lastDeliveryAt: string | null;
  /** First characters of the newest token, which identify the hook's URL for people. */
  readonly tokenPrefix: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const DELIVERY_OUTCOMES = ['started', 'signalled', 'repeated', 'refused'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** The sender of a request: another system, or a person by `POST /v1/hooks/{id}/test`. */
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
  /** HTTP status at the time of the record. With `respond: output`, the later response may have another status. */
  readonly status: number;
  /** Error code of a refused delivery. Null for an accepted delivery. */
  readonly code: string | null;
  readonly reason: string | null;
  /** Key that identifies repeated deliveries, such as `webhook-id:...` or `deduplication:...`. Null for none. */
  readonly key: string | null;
  readonly executionId: string | null;
}
