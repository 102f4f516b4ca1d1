import { eventStream, type EventStreamOptions } from './event-stream.ts';
import { type Client, createClient, createConfig } from './generated/client/index.ts';
import type { WorkflowEvent } from './workflow-event.ts';

export interface WorkflowServiceOptions {
  /** Address of the service, for example `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  /** An API key, or a function that returns a key. It is called for each request, so that keys can rotate. */
  readonly token: string | (() => string | Promise<string>);
}

/** Client of one service with one key, for REST operations and events. */
export interface WorkflowService {
  /** Argument of the REST operations: `createWorkflow({ client: service.client, body })`. */
  readonly client: Client;
  /** Yields live events, as described at `eventStream`. */
  events(
    options?: Omit<EventStreamOptions, 'baseUrl' | 'token'>,
  ): AsyncGenerator<WorkflowEvent, void, undefined>;
}

export function workflowService({ baseUrl, token }: WorkflowServiceOptions): WorkflowService {
  const auth = typeof token === 'string' ? (): string => token : token;
  return {
    client: createClient(createConfig({ baseUrl, auth })),
    events: (options = {}) => eventStream({ ...options, baseUrl, token }),
  };
}
