import { Injectable } from '@nestjs/common';
import { ConflictError } from '../errors/index.js';
import { TriggeredStarts } from '../execution-start/index.js';
import { type Execution, ExecutionLookupRepository, KeyHeldError } from '../execution-store/index.js';
import { ExecutionSignals } from '../executions/index.js';
import { receivedTrace, type TraceContext } from '../trace-context/index.js';
import { WorkflowsService } from '../workflows/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { AdmittedHook } from './hook-admission.js';
import type { HookRequest } from './hook-request.js';
import type { RenderedHook } from './hook-templates.js';
import type { Delivery, Hook } from './hook.js';
import {
  DeliveryRepeatedError,
  HookWorkflowDeletedError,
  NoExecutionForKeyError,
  SeveralExecutionsForKeyError,
} from './hooks.errors.js';
import { HooksRepository } from './hooks.repository.js';

/** Priority of executions that hooks start, equal to the default priority of the API. */
const PRIORITY = 5;
/**
 * Maximum number of attempts to start an execution with a deduplication key. An attempt fails if another
 * execution holds the key. The next attempt follows only if that execution has released the key in the
 * meantime.
 */
const MAX_ATTEMPTS = 5;

/** Result of an accepted delivery. A repeated delivery gets the execution of the first delivery with the same key. */
export interface ActionResult {
  readonly executionId: string;
  readonly outcome: 'started' | 'signalled' | 'repeated';
}

type CallingRequest = Pick<HookRequest, 'headers' | 'requestId'>;

export type PendingDelivery = Omit<Delivery, 'outcome' | 'status' | 'code' | 'reason' | 'executionId'>;

/**
 * Starts and signals executions for hooks. The commit of a start or signal also reserves the delivery's key.
 * Repeated deliveries have the same key, and thus no effect.
 */
@Injectable()
export class HookActions {
  constructor(
    private readonly hooks: HooksRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly starts: TriggeredStarts,
    private readonly signals: ExecutionSignals,
    private readonly workflows: WorkflowsService,
    private readonly executions: ExecutionLookupRepository,
  ) {}

  /**
   * @throws HookWorkflowDeletedError; NoExecutionForKeyError; SeveralExecutionsForKeyError.
   *
   * @throws the errors of starts and signals
   */
  async perform(
    admitted: AdmittedHook,
    rendered: RenderedHook,
    delivery: PendingDelivery,
    request: CallingRequest,
  ): Promise<ActionResult> {
    const repeat = await this.repeatOf(delivery);
    if (repeat !== undefined) return repeat;
    try {
      return admitted.hook.action === 'start'
        ? await this.start(admitted.hook, rendered, delivery, request)
        : await this.signal(admitted, rendered, delivery, request);
    } catch (error) {
      if (!(error instanceof DeliveryRepeatedError)) throw error;
      const first = await this.repeatOf(delivery);
      if (first === undefined)
        throw new ConflictError(
          'hook_repeated',
          'An earlier request with the same delivery key is still being processed. Try again.',
        );
      return first;
    }
  }

  private async start(
    hook: Hook,
    rendered: RenderedHook,
    delivery: PendingDelivery,
    request: CallingRequest,
  ): Promise<ActionResult> {
    const workflow = hook.workflowId === null ? undefined : await this.workflows.find(hook.workflowId);
    if (workflow === undefined) throw new HookWorkflowDeletedError();
    const { input, deduplicationKey } = rendered;
    for (let attempt = 1; ; attempt += 1)
      try {
        const { id } = await this.starts.start({
          workflow,
          trigger: { type: 'hook', id: hook.id },
          input,
          metadata: {},
          priority: PRIORITY,
          deduplicationKey,
          scheduledFor: null,
          trace: traceOf(request),
          sameCommit: (executionId) => this.writesOf(accepted(delivery, 'started', executionId)),
        });
        return { executionId: id, outcome: 'started' };
      } catch (error) {
        if (!(error instanceof KeyHeldError) || deduplicationKey === null || attempt === MAX_ATTEMPTS)
          throw error;
        const holder = await this.executions.findByKey(workflow.id, deduplicationKey);
        const repeat = await this.repeatOf(delivery);
        if (repeat !== undefined) return repeat;
        if (holder !== undefined) return { executionId: holder.id, outcome: 'repeated' };
      }
  }

  private async signal(
    { hook, teamId }: AdmittedHook,
    { input, executionKey }: RenderedHook,
    delivery: PendingDelivery,
    request: CallingRequest,
  ): Promise<ActionResult> {
    const execution = await this.holderOf(hook, executionKey ?? '');
    const { requestId } = request;
    const signaller = { userId: null, keyId: null, teamId, address: delivery.address, requestId };
    const signal = { name: hook.signal?.name ?? '', payload: input, trace: traceOf(request) };
    await this.signals.send(signaller, execution, signal, () =>
      this.writesOf(accepted(delivery, 'signalled', execution.id)),
    );
    return { executionId: execution.id, outcome: 'signalled' };
  }

  private async holderOf({ projectId, workflowId }: Hook, key: string): Promise<Execution> {
    const holders =
      workflowId === null
        ? await this.executions.unfinishedByKey(projectId, key, 2)
        : [await this.executions.findByKey(workflowId, key)];
    const [holder] = holders;
    if (holder === undefined) throw new NoExecutionForKeyError(key);
    if (holders.length > 1) throw new SeveralExecutionsForKeyError(key);
    return holder;
  }

  private async repeatOf({ hookId, key }: PendingDelivery): Promise<ActionResult | undefined> {
    const first = key === null ? undefined : await this.deliveries.findFirst(hookId, key);
    const executionId = first?.executionId ?? null;
    return executionId === null ? undefined : { executionId, outcome: 'repeated' };
  }

  private writesOf(delivery: Delivery): readonly ReturnType<DeliveriesRepository['claim']>[] {
    return [
      this.deliveries.claim(delivery),
      this.hooks.lastDeliveryUpdate(delivery.hookId, delivery.receivedAt),
    ];
  }
}

/** @param status HTTP status of the response after the commit */
function accepted(
  delivery: PendingDelivery,
  outcome: 'started' | 'signalled',
  executionId: string,
): Delivery {
  return { ...delivery, outcome, status: 202, code: null, reason: null, executionId };
}

function traceOf({ headers }: CallingRequest): TraceContext | null {
  return receivedTrace(headers.get('traceparent'), headers.get('tracestate'));
}
