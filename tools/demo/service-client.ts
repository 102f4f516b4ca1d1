import type { DemoWorkflow } from './demo-workflow.js';
import type { WireEvent } from '../../src/display/index.js';

const PAGE = 100;

export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
}

/** Sends the REST requests that the demo needs to the service. */
export class ServiceClient {
  /**
   * @param baseUrl called before each request, because a restart may change the URL
   */
  constructor(
    private readonly baseUrl: () => string,
    private readonly key: string,
  ) {}

  async createWorkflow(workflow: DemoWorkflow): Promise<string> {
    return (await this.request<{ id: string }>('POST', '/v1/workflows', workflow)).id;
  }

  async execute(workflowId: string, input: unknown): Promise<string> {
    return (await this.request<{ id: string }>('POST', `/v1/workflows/${workflowId}/execute`, { input })).id;
  }

  async events(executionId: string): Promise<readonly WireEvent[]> {
    const events: WireEvent[] = [];
    for (;;) {
      const after = events.at(-1)?.sequence ?? 0;
      const path = `/v1/executions/${executionId}/events?after=${after}&limit=${PAGE}`;
      const { data } = await this.request<{ data: readonly WireEvent[] }>('GET', path);
      events.push(...data);
      if (data.length < PAGE) return events;
    }
  }

  private async request<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await fetch(`${this.baseUrl()}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new UnexpectedAnswerError(`${method} ${path} returned ${response.status}: ${text}`);
    return JSON.parse(text) as Body;
  }
}
