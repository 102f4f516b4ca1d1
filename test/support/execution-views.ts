import type { Json, JsonObject } from '../../src/expressions/index.js';
import type { TestService } from './service.js';
import { until } from './until.js';

/** An execution in a response of the API. */
export interface ExecutionView {
  readonly id: string;
  readonly workflow_id: string;
  readonly workflow_version: number;
  readonly status: string;
  readonly status_reason: string | null;
  readonly input: Json;
  readonly output: Json;
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly node_id: string | null;
    readonly details?: Json;
  } | null;
  readonly progress: { readonly completed: number; readonly total: number };
  readonly metadata: JsonObject;
  readonly priority: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly timeout_at: string | null;
  readonly duration_ms: number | null;
  readonly last_sequence: number;
}

export interface EventView {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly created_at: string;
  readonly node_id: string | null;
  readonly attempt: number | null;
  readonly data: JsonObject;
}

export interface NodeView {
  readonly node_id: string;
  readonly status: string;
  readonly attempt: number;
  readonly input: Json;
  readonly output: Json;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly waiting_for: JsonObject | null;
  readonly child_execution_id: string | null;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly status: string;
    readonly error: JsonObject | null;
  }[];
}

const FINAL = ['completed', 'failed', 'cancelled', 'timed_out'];

/** Sends API requests about executions. */
export class ExecutionCalls {
  constructor(private readonly service: TestService) {}

  /** Creates a workflow with the given nodes. @returns the id of the workflow */
  async workflow(nodes: readonly JsonObject[], more: JsonObject = {}): Promise<string> {
    const { status, body } = await this.service.post<{ id: string }>('/v1/workflows', {
      name: 'test',
      nodes,
      ...more,
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.id;
  }

  async start(workflowId: string, body: JsonObject = {}, query = ''): Promise<ExecutionView> {
    const answer = await this.service.post<ExecutionView>(
      `/v1/workflows/${workflowId}/executions${query}`,
      body,
    );
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  }

  /** Creates a workflow with the given nodes, starts an execution, and waits up to 60 seconds for its end. */
  async run(nodes: readonly JsonObject[], input: Json = null, more: JsonObject = {}): Promise<ExecutionView> {
    return this.start(await this.workflow(nodes, more), { input }, '?wait=60');
  }

  async read(id: string): Promise<ExecutionView> {
    return (await this.service.get<ExecutionView>(`/v1/executions/${id}`)).body;
  }

  async events(id: string): Promise<readonly EventView[]> {
    return (await this.service.get<{ data: readonly EventView[] }>(`/v1/executions/${id}/events?limit=100`))
      .body.data;
  }

  async nodes(id: string): Promise<ReadonlyMap<string, NodeView>> {
    const { body } = await this.service.get<{ data: readonly NodeView[] }>(
      `/v1/executions/${id}/nodes?limit=100`,
    );
    return new Map(body.data.map((node) => [node.node_id, node]));
  }

  /** Reads an execution repeatedly until the condition is true. @returns the execution */
  async until(id: string, condition: (execution: ExecutionView) => boolean): Promise<ExecutionView> {
    let last: ExecutionView | undefined;
    try {
      return await until(`the condition ${condition.toString()}`, async () => {
        last = await this.read(id);
        return condition(last) && last;
      });
    } catch (error) {
      throw new Error(`The last state was ${JSON.stringify(last)}`, { cause: error });
    }
  }

  ended(id: string): Promise<ExecutionView> {
    return this.until(id, ({ status }) => FINAL.includes(status));
  }
}
