import { Injectable } from '@nestjs/common';
import { MethodNotAllowedError, ServiceError } from '../errors/index.js';
import type { Json } from '../expressions/index.js';
import { DeliveryLog } from './delivery-log.js';
import { HookActions, type PendingDelivery } from './hook-actions.js';
import type { AdmittedHook } from './hook-admission.js';
import { HookOutputs, OUTPUT_WAIT_MS } from './hook-outputs.js';
import { type HookRequest, requestDocument } from './hook-request.js';
import { renderHook } from './hook-templates.js';
import { HookVerification } from './hook-verification.js';
import type { Hook } from './hook.js';
import { HookPausedError } from './hooks.errors.js';

/** Errors of this status and above are the service's own: the delivery log does not have them. */
const FIRST_OWN_STATUS = 500;

/** What a delivery came to: its execution, and the output where the hook responds with one. */
export interface HookResult {
  readonly executionId: string;
  readonly output?: Json;
}

/** A request, and what was wrong with its body before it reached the hook. */
export interface ReceivedRequest {
  readonly request: HookRequest;
  readonly bodyFault: ServiceError | undefined;
}

/** Handles the requests of a hook. */
@Injectable()
export class HookReceiver {
  constructor(
    private readonly verification: HookVerification,
    private readonly actions: HookActions,
    private readonly outputs: HookOutputs,
    private readonly log: DeliveryLog,
  ) {}

  /**
   * Resolves when the start or signal is durable, or with `respond: output` when the execution has ended or 60 s are
   * over. Each refusal is in the delivery log with its reason.
   * @param signal aborted when the sender closes the connection
   * @throws HookPausedError; MethodNotAllowedError; HookVerificationError; ExecutionFailedError.
   * @throws ValidationError; UnsupportedMediaTypeError; PayloadTooLargeError; what starts and signals throw.
   */
  async receive(admitted: AdmittedHook, received: ReceivedRequest, signal: AbortSignal): Promise<HookResult> {
    const { hook } = admitted;
    const delivery = this.log.pending(hook, received.request);
    const executionId = await this.perform(admitted, received, delivery);
    if (hook.respond !== 'output') return { executionId };
    const output = await this.outputs.of(executionId, OUTPUT_WAIT_MS, signal);
    return output === undefined ? { executionId } : { executionId, output };
  }

  private async perform(
    admitted: AdmittedHook,
    { request, bodyFault }: ReceivedRequest,
    pending: PendingDelivery,
  ): Promise<string> {
    const { hook } = admitted;
    let delivery = pending;
    try {
      requireOpen(hook, request);
      if (bodyFault !== undefined) throw bodyFault;
      if (request.source === 'sender') await this.verification.verify(hook, request);
      const rendered = renderHook(hook, requestDocument(request, hook.verification));
      // A test never takes the key of a real delivery.
      if (request.source === 'sender') delivery = { ...pending, key: rendered.deliveryKey };
      const { executionId, outcome } = await this.actions.perform(admitted, rendered, delivery, request);
      if (outcome === 'repeated') await this.log.repeated(delivery, executionId);
      return executionId;
    } catch (error) {
      if (error instanceof ServiceError && error.status < FIRST_OWN_STATUS)
        await this.log.refused(delivery, error);
      throw error;
    }
  }
}

function requireOpen({ status, methods }: Hook, { method }: HookRequest): void {
  if (status === 'paused') throw new HookPausedError();
  if (!methods.some((allowed) => allowed === method)) throw new MethodNotAllowedError(method, methods);
}
