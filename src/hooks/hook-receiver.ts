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

/** Lowest HTTP status of a server error. Server errors are not recorded as refused deliveries. */
const MIN_SERVER_ERROR_STATUS = 500;

/**
 * Result of a request to a hook. `output` is present only with `respond: output`, if the execution completed in time.
 */
export interface HookResult {
  readonly executionId: string;
  readonly output?: Json;
}

export interface ReceivedRequest {
  readonly request: HookRequest;
  readonly bodyFault: ServiceError | undefined;
}

@Injectable()
export class HookReceiver {
  constructor(
    private readonly verification: HookVerification,
    private readonly actions: HookActions,
    private readonly outputs: HookOutputs,
    private readonly log: DeliveryLog,
  ) {}

  /**
   * Verifies a request to a hook, and starts or signals an execution. With `respond: output`, waits up to 60 s for the
   * end of the execution. Refused requests are recorded with the reason.
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
      // A test request does not reserve its key. Otherwise, a later request of the sender with the same key
      // would count as repeated and have no effect.
      if (request.source === 'sender') delivery = { ...pending, key: rendered.deliveryKey };
      const { executionId, outcome } = await this.actions.perform(admitted, rendered, delivery, request);
      if (outcome === 'repeated') await this.log.recordRepeated(delivery, executionId);
      return executionId;
    } catch (error) {
      if (error instanceof ServiceError && error.status < MIN_SERVER_ERROR_STATUS)
        await this.log.recordRefused(delivery, error);
      throw error;
    }
  }
}

function requireOpen({ status, methods }: Hook, { method }: HookRequest): void {
  if (status === 'paused') throw new HookPausedError();
  if (!methods.some((allowed) => allowed === method)) throw new MethodNotAllowedError(method, methods);
}
