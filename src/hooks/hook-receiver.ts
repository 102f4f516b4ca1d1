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

/**
 * The lowest status of errors that the service caused. Such errors are not recorded as refused deliveries.
 */
const FIRST_OWN_STATUS = 500;

/** The execution of a delivery, and its output if the hook responds with the output. */
export interface HookResult {
  readonly executionId: string;
  readonly output?: Json;
}

/** A request, and the error of its body if the body is invalid. */
export interface ReceivedRequest {
  readonly request: HookRequest;
  readonly bodyFault: ServiceError | undefined;
}

/** Handles requests to hooks. */
@Injectable()
export class HookReceiver {
  constructor(
    private readonly verification: HookVerification,
    private readonly actions: HookActions,
    private readonly outputs: HookOutputs,
    private readonly log: DeliveryLog,
  ) {}

  /**
   * Handles a request to a hook. Resolves after the commit of the start or signal. With `respond: output`, resolves
   * when the execution has ended, or after 60 s. Every refusal is recorded with its reason.
   * @param signal aborts when the sender disconnects
   * @throws HookPausedError; MethodNotAllowedError; HookVerificationError; ExecutionFailedError.
   * @throws ValidationError; UnsupportedMediaTypeError; PayloadTooLargeError; the errors of starts and signals.
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
      // A test reserves no key, so that a later delivery from the sender with the same key still has an effect.
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
