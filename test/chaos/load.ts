import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../src/expressions/index.js';
import { newId } from '../../src/platform/index.js';
import type { ServiceProcess } from '../support/service-process.js';
import { childWorkflow, mixedWorkflow, SIGNAL } from './mixed-workflow.js';
import type { Random } from './random.js';

/** An execution whose start got a 201 response. */
export interface Acknowledged {
  readonly id: string;
  readonly n: number;
  readonly tenant: Tenant;
  /** True if the execution runs only `childWorkflow`, with two nodes instead of ten. */
  readonly isLight: boolean;
}

/** A project that owns executions, with its workflows and a key that is limited to the project. */
export interface Tenant {
  readonly projectId: string;
  readonly key: string;
  readonly workflowId: string;
  readonly childWorkflowId: string;
}

/** A response of the API with any status. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

/** Milliseconds for which a caller retries a request before the test fails. */
const PATIENCE_MS = 600_000;
/** Timeout of one request in milliseconds; needed because a process stopped with SIGSTOP never responds. */
const REQUEST_MS = 15_000;
const AGAIN_MS = 100;
/** Number of executions that share a session. */
const OF_A_SESSION = 20;
/** Number of concurrent callers. */
const CALLERS = 24;

/**
 * Clients that start executions during failures. They retry each request at any available process, with the same
 * idempotency key.
 */
export class Load {
  readonly acknowledged: Acknowledged[] = [];
  /** Descriptions of responses that no client should get. */
  readonly faults: string[] = [];
  /** Descriptions of requests that got no response, with the reason. */
  readonly unanswered: string[] = [];
  /** Number of retried requests. */
  repeated = 0;
  private turn = 0;
  private count = 0;

  /**
   * @param apis the API processes
   * @param effectsUrl URL that the nodes of executions call
   */
  constructor(
    private readonly apis: readonly ServiceProcess[],
    private readonly adminKey: string,
    private readonly effectsUrl: string,
    private readonly random: Random,
  ) {}

  async newTenant(name: string): Promise<Tenant> {
    const { id: projectId } = await this.make('/v1/projects', { name }, this.adminKey);
    const { key } = await this.make(
      '/v1/keys',
      { name, project_id: String(projectId), scopes: ['*'] },
      this.adminKey,
    );
    const child = { name: 'a child', nodes: [...childWorkflow(this.effectsUrl)] };
    const { id: childWorkflowId } = await this.make('/v1/workflows', child, String(key));
    const mixed = mixedWorkflow(this.effectsUrl, String(childWorkflowId));
    const { id: workflowId } = await this.make('/v1/workflows', mixed, String(key));
    return {
      projectId: String(projectId),
      key: String(key),
      workflowId: String(workflowId),
      childWorkflowId: String(childWorkflowId),
    };
  }

  /**
   * Starts executions, alternating between tenants, and sends each execution the signal for which it waits.
   * @param napSeconds durations of the `delay` node in seconds, one chosen at random per execution; above 5, the
   * execution is suspended
   * @param afterAll true to send signals only after all starts, so that all executions are in progress at the same time
   */
  async run(
    tenants: readonly [Tenant, ...Tenant[]],
    { executions, napSeconds, afterAll, mixedEvery = 1 }: LoadShape,
  ): Promise<readonly Acknowledged[]> {
    const started: Acknowledged[] = [];
    const sessions = new Map<string, Promise<string>>();
    await inParallel(executions, async (index) => {
      const tenant = tenants[index % tenants.length] ?? tenants[0];
      const place = `${index % tenants.length}:${Math.floor(index / tenants.length / OF_A_SESSION)}`;
      let session = sessions.get(place);
      if (session === undefined) sessions.set(place, (session = this.newSession(tenant)));
      const n = (this.count += 1);
      const input = { n, nap: this.random.of(napSeconds) };
      const body: JsonObject = { input, session_id: await session };
      const isLight = index % mixedEvery !== 0;
      const workflowId = isLight ? tenant.childWorkflowId : tenant.workflowId;
      const { id } = await this.make(`/v1/workflows/${workflowId}/executions`, body, tenant.key);
      const one = { id: String(id), n, tenant, isLight };
      started.push(one);
      this.acknowledged.push(one);
      if (!afterAll) await this.signal(one);
    });
    if (afterAll) await inParallel(started.length, (index) => this.signal(started[index]));
    return started;
  }

  /** Reads from any available process. @throws Error when the response is not a success */
  async read<T>(path: string, key: string): Promise<T> {
    const { status, body } = await this.ask('GET', path, key);
    if (status !== 200) throw new Error(`GET ${path} returned ${status}: ${JSON.stringify(body)}`);
    return body as T;
  }

  /** Cancels an execution. Response 409 is accepted, because the execution may already have ended. */
  async cancel({ id, tenant }: Acknowledged): Promise<void> {
    const { status, body } = await this.ask('POST', `/v1/executions/${id}/cancel`, tenant.key, {});
    if (status !== 200 && status !== 409)
      this.faults.push(`a cancellation returned ${status}: ${JSON.stringify(body)}`);
  }

  /** Starts an execution of a tenant's workflow. */
  async start(tenant: Tenant, workflowId: string, body: JsonObject): Promise<Acknowledged> {
    const { id } = await this.make(`/v1/workflows/${workflowId}/executions`, body, tenant.key);
    const one = { id: String(id), n: (this.count += 1), tenant, isLight: true };
    this.acknowledged.push(one);
    return one;
  }

  /** Creates a resource only once, even if the request is retried. @throws Error when the response is not a success */
  async make(path: string, body: JsonObject, key: string): Promise<JsonObject> {
    const answer = await this.ask('POST', path, key, body, newId());
    if (answer.status !== 201)
      throw new Error(`POST ${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  private async newSession({ key }: Tenant): Promise<string> {
    return String((await this.make('/v1/sessions', {}, key))['id']);
  }

  private async signal(one: Acknowledged | undefined): Promise<void> {
    if (one === undefined || one.isLight) return;
    const path = `/v1/executions/${one.id}/signals/${SIGNAL}`;
    const { status, body } = await this.ask('POST', path, one.tenant.key, { payload: { n: one.n } });
    // Status 409 means that the execution has ended: an earlier attempt to send the signal succeeded, but its response
    // was lost.
    if (status !== 202 && status !== 409)
      this.faults.push(`a signal returned ${status}: ${JSON.stringify(body)}`);
  }

  /**
   * Retries until a process gives a definite response. Status 503, and a conflict with an earlier try of the same
   * request, are not definite.
   */
  private async ask(
    method: string,
    path: string,
    key: string,
    body?: JsonObject,
    idempotencyKey?: string,
  ): Promise<ApiAnswer> {
    const deadline = performance.now() + PATIENCE_MS;
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    let last = '';
    for (let tries = 0; performance.now() < deadline; tries += 1) {
      if (tries > 0) {
        this.repeated += 1;
        await pause(AGAIN_MS);
      }
      const api = this.apis[(this.turn += 1) % this.apis.length];
      try {
        const response = await fetch(`${api?.url}${path}`, {
          method,
          headers,
          signal: AbortSignal.timeout(REQUEST_MS),
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        last = `${response.status}: ${text}`;
        if (response.status === 503 || isStillRunning(response.status, text)) continue;
        if (response.status >= 500) {
          this.faults.push(`${method} ${path} returned ${response.status}: ${text}`);
          continue;
        }
        return { status: response.status, body: JSON.parse(text) as JsonObject };
      } catch (error) {
        // No process responded, or the response ended early.
        last = reasonOf(error);
        this.unanswered.push(`${method} ${path}: ${last}`);
      }
    }
    throw new Error(`${method} ${path} got no definite response; the last failure was: ${last}`);
  }
}

export interface LoadShape {
  readonly executions: number;
  readonly napSeconds: readonly [number, ...number[]];
  readonly afterAll: boolean;
  /** One of this many executions has ten nodes; the others have two nodes. */
  readonly mixedEvery?: number;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** Whether the response says that an earlier request with the same key is still in progress. */
function isStillRunning(status: number, text: string): boolean {
  return status === 409 && text.includes('idempotency_error');
}

/** Calls `work` `count` times. At most `CALLERS` calls run at the same time. */
export async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const callers = Array.from({ length: Math.min(CALLERS, count) }, async () => {
    for (let index = next; index < count; index = next) {
      next = index + 1;
      await work(index);
    }
  });
  await Promise.all(callers);
}
