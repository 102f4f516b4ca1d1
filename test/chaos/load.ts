import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../src/expressions/index.js';
import { newId } from '../../src/platform/index.js';
import type { ServiceProcess } from '../support/service-process.js';
import { childWorkflow, mixedWorkflow, SIGNAL } from './mixed-workflow.js';
import type { Random } from './random.js';

/** An execution whose start the API acknowledged with status 201. */
export interface Acknowledged {
  readonly id: string;
  readonly n: number;
  readonly tenant: Tenant;
  /** True if the execution runs only the child workflow, which has two nodes instead of ten. */
  readonly isLight: boolean;
}

/** A project with its workflows, and an API key that is limited to this project. */
export interface Tenant {
  readonly projectId: string;
  readonly key: string;
  readonly workflowId: string;
  readonly childWorkflowId: string;
}

/** An API response, whether success or error. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

/** Milliseconds during which a caller retries a request before the test fails. */
const MAX_WAIT_MS = 600_000;
/** Timeout of one request in milliseconds. Needed because a process suspended with SIGSTOP never responds. */
const REQUEST_MS = 15_000;
const AGAIN_MS = 100;
/** Number of executions per session. */
const OF_A_SESSION = 20;
/** Maximum number of concurrent calls. */
const CALLERS = 24;

/**
 * Clients that start executions while failures are injected. A client retries each request at any available process,
 * with the same idempotency key.
 */
export class Load {
  readonly acknowledged: Acknowledged[] = [];
  /** Descriptions of unexpected responses, such as status 500. */
  readonly faults: string[] = [];
  /** Descriptions of requests that got no response, each with the reason. */
  readonly unanswered: string[] = [];
  /** Number of retries of all requests so far. */
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
   * Starts executions, alternating between tenants, and sends each execution the signal that it waits for.
   * @param napSeconds possible durations of the `delay` node in seconds; each execution gets a random one, and above 5
   * s the execution is suspended
   * @param afterAll true to send the signals only after all starts, so that all executions are in progress at the same
   * time
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

  /**
   * Sends a GET request to any available process.
   * @throws Error if the status is not 200
   */
  async read<T>(path: string, key: string): Promise<T> {
    const { status, body } = await this.ask('GET', path, key);
    if (status !== 200) throw new Error(`GET ${path} returned ${status}: ${JSON.stringify(body)}`);
    return body as T;
  }

  /** Cancels an execution. Status 409 is no fault, because the execution may already have ended. */
  async cancel({ id, tenant }: Acknowledged): Promise<void> {
    const { status, body } = await this.ask('POST', `/v1/executions/${id}/cancel`, tenant.key, {});
    if (status !== 200 && status !== 409)
      this.faults.push(`a cancellation returned ${status}: ${JSON.stringify(body)}`);
  }

  /** Starts an execution, and adds the execution to `acknowledged`. */
  async start(tenant: Tenant, workflowId: string, body: JsonObject): Promise<Acknowledged> {
    const { id } = await this.make(`/v1/workflows/${workflowId}/executions`, body, tenant.key);
    const one = { id: String(id), n: (this.count += 1), tenant, isLight: true };
    this.acknowledged.push(one);
    return one;
  }

  /**
   * Creates a resource. Retries use the same idempotency key, so the resource is created only once.
   * @throws Error if the status is not 201
   */
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
    // Status 409 means that the execution has ended: an earlier attempt delivered the signal, but its response was
    // lost.
    if (status !== 202 && status !== 409)
      this.faults.push(`a signal returned ${status}: ${JSON.stringify(body)}`);
  }

  /**
   * Repeats a request until a process gives a definite response. A response is not definite if its status is
   * 5xx, or if its status is 409 because an earlier attempt with the same idempotency key is in progress.
   */
  private async ask(
    method: string,
    path: string,
    key: string,
    body?: JsonObject,
    idempotencyKey?: string,
  ): Promise<ApiAnswer> {
    const deadline = performance.now() + MAX_WAIT_MS;
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
        // The process sent no response, or the response ended early. The next iteration sends the request again.
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
  /** Every `mixedEvery`-th execution has ten nodes. All other executions have two nodes. */
  readonly mixedEvery?: number;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** True if an earlier request with the same idempotency key is still in progress. */
function isStillRunning(status: number, text: string): boolean {
  return status === 409 && text.includes('idempotency_error');
}

/** Calls `work` for each index from 0 to `count - 1`, with at most `CALLERS` concurrent calls. */
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
