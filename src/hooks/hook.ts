import type { Json } from '../expressions/index.js';
import type { Verification } from './verification.js';

/** What a delivery does. */
export const HOOK_ACTIONS = ['start', 'signal'] as const;
export type HookAction = (typeof HOOK_ACTIONS)[number];

/** When a delivery is answered: once it is durable, or with the output of its execution. */
export const HOOK_RESPONSES = ['accepted', 'output'] as const;
export type HookResponse = (typeof HOOK_RESPONSES)[number];

export const HOOK_STATUSES = ['active', 'paused'] as const;
export type HookStatus = (typeof HOOK_STATUSES)[number];

export const HOOK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HookMethod = (typeof HOOK_METHODS)[number];

/** Which signal is sent, and to which execution. */
export interface HookSignal {
  readonly name: string;
  /** Template of the deduplication key of the execution. */
  readonly executionKey: string;
}

/** An address that starts a workflow, or signals an execution, for other systems. */
export interface Hook {
  readonly id: string;
  readonly projectId: string;
  /** Null only where it signals executions of any workflow of the project. */
  readonly workflowId: string | null;
  readonly name: string;
  readonly action: HookAction;
  readonly signal: HookSignal | null;
  readonly methods: readonly HookMethod[];
  readonly verification: Verification;
  /** Template of the input of the execution, or of the payload of the signal. */
  readonly input: Json;
  /** Template of the key by which a delivery is a repeat, and of the deduplication key of the execution. */
  readonly deduplication: string | null;
  readonly respond: HookResponse;
  readonly status: HookStatus;
  /** ISO 8601. */
  readonly lastDeliveryAt: string | null;
  /** Beginning of the latest token, by which people recognize a URL. */
  readonly tokenPrefix: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const DELIVERY_OUTCOMES = ['started', 'signalled', 'repeated', 'refused'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** The other system, or a person by `POST /v1/hooks/{id}/test`. */
export const DELIVERY_SOURCES = ['sender', 'test'] as const;
export type DeliverySource = (typeof DELIVERY_SOURCES)[number];

/** A request that reached a hook, and its outcome. Bodies are not kept. */
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
  /** HTTP status at the time of the record; the later 200 or 502 of `respond: output` is recorded as 202. */
  readonly status: number;
  /** Error code and sentence of a refusal. */
  readonly code: string | null;
  readonly reason: string | null;
  /** Identifies repeats: `webhook-id:...`, `x-github-delivery:...`, `idempotency-key:...` or `deduplication:...`. */
  readonly key: string | null;
  readonly executionId: string | null;
}
