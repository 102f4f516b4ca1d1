import { eventStream, type EventStreamOptions } from './event-stream.ts';
import { type Client, createClient, createConfig } from './generated/client/index.ts';
import type { WorkflowEvent } from './workflow-event.ts';

export interface WorkflowServiceOptions {
  /** Address of the service, for example `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  /** An API key; a function is asked at every call, so that a key may rotate. */
  readonly token: string | (() => string | Promise<string>);
}

/** One service and one key: for the operations of the REST API, and for its events. */
export interface WorkflowService {
  /** To be handed to the operations: `createWorkflow({ client: service.client, body })`. */
  readonly client: Client;
  /** Events as they happen; see `eventStream`. */
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
