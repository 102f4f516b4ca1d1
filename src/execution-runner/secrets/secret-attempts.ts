import { throughOutages } from '../../database/index.js';
import { type RunOrder, withSecrets } from '../../engine/index.js';
import type { JsonObject } from '../../expressions/index.js';
import type { Execution } from '../../execution-store/index.js';
import type { NodeContext } from '../../node-contract/index.js';
import type { SecretResolverPort } from '../ports/secret-resolver.port.js';
import { type AttemptRunner, failure, type RunnerOutcome } from '../run-loop/node-runner.js';
import { SecretMask } from '../../masking/index.js';

/**
 * Runs the attempts of one execution. If a node's parameters refer to secrets, their values are inserted right before
 * the attempt. From then on, the values are masked in the results of all attempts of the run.
 */
export class SecretAttempts implements AttemptRunner {
  /**
   * Masks the secrets that attempts of this run have used. Null until an attempt uses a secret, because most executions
   * use no secrets.
   */
  private mask: SecretMask | null = null;

  constructor(
    private readonly runner: AttemptRunner,
    private readonly resolver: Pick<SecretResolverPort, 'adapter'>,
  ) {}

  run(
    execution: Execution,
    order: RunOrder,
    signal: AbortSignal,
    report: NodeContext['progress'],
  ): RunnerOutcome | Promise<RunnerOutcome> {
    const { secrets } = order;
    if (secrets !== undefined) return this.runWithSecrets(execution, order, secrets, signal, report);
    return this.mask === null || this.mask.isEmpty
      ? this.runner.run(execution, order, signal, report)
      : this.runMasked(this.mask, execution, order, signal, report);
  }

  /** Runs an attempt with the values of its secrets. The returned promise never rejects. */
  private async runWithSecrets(
    execution: Execution,
    order: RunOrder,
    secrets: NonNullable<RunOrder['secrets']>,
    signal: AbortSignal,
    report: NodeContext['progress'],
  ): Promise<RunnerOutcome> {
    const { names } = secrets;
    let values: ReadonlyMap<string, string>;
    try {
      const { adapter } = this.resolver;
      values = await throughOutages(() => adapter.valuesOf(execution.projectId, names, signal), signal);
    } catch (error) {
      return failure('secret_unavailable', error instanceof Error ? error.message : String(error), {}, true);
    }
    const missing = names.find((name) => !values.has(name));
    if (missing !== undefined)
      return failure(
        'secret_not_found',
        `The project has no secret ${missing}. Create it or correct its name in the workflow, then retry the execution.`,
      );
    const mask = (this.mask ??= new SecretMask());
    for (const [name, value] of values) mask.add(name, value);
    const filled = withSecrets(secrets, Object.fromEntries(values));
    if (!filled.ok) return failure(filled.error.code, mask.cutText(filled.error.message));
    const input = filled.value.value as JsonObject;
    const { node, attempt, iteration, resumption } = order;
    return this.runMasked(mask, execution, { node, attempt, iteration, input, resumption }, signal, report);
  }

  private runMasked(
    mask: SecretMask,
    execution: Execution,
    order: RunOrder,
    signal: AbortSignal,
    report: NodeContext['progress'],
  ): RunnerOutcome | Promise<RunnerOutcome> {
    const masked: NodeContext['progress'] = (fraction, message) =>
      message === undefined ? report(fraction) : report(fraction, mask.cutText(message));
    return this.runner.run(execution, { ...order, mask }, signal, masked);
  }
}
