import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeFailure, type NodeResult } from '../../node-contract/index.js';
import { readSettings } from '../../settings/index.js';
import { nodeContext, compileParameterSchema } from '../../nodes/index.js';
import { EffectGuard } from '../../instances/index.js';
import { EgressAgent } from './egress-agent.js';
import { HttpNode } from './http.node.js';
import type { HttpParameters } from './http-request.js';
import { HTTP_SCHEMA } from './http.schema.js';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
export type Answer = (request: Received, response: ServerResponse) => void;

/** A server on 127.0.0.1 that records requests and sends the responses that a test has set. */
class Origin {
  readonly received: Received[] = [];
  readonly answers = new Map<string, Answer>();
  private readonly server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const received = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
    this.received.push(received);
    const answer = this.answers.get(url.split('?')[0]!);
    if (answer === undefined) response.writeHead(404).end();
    else answer(received, response);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}

/** Test fixture with an `http` node that may call 127.0.0.1, and with two servers at this address. */
export class HttpNodeFixture {
  /** @param timeoutMs default timeout of a request, in milliseconds */
  constructor(private readonly timeoutMs = 30_000) {}

  readonly origin = new Origin();
  readonly elsewhere = new Origin();
  readonly effects = new EffectGuard();
  private readonly agent = new EgressAgent(readSettings({ EGRESS_ALLOW: '127.0.0.1' }), this.effects);
  private readonly node = new HttpNode(this.agent, this.timeoutMs);

  async start(): Promise<void> {
    await this.origin.start();
    await this.elsewhere.start();
  }

  reset(): void {
    for (const { received, answers } of [this.origin, this.elsewhere]) {
      received.length = 0;
      answers.clear();
    }
  }

  async stop(): Promise<void> {
    await this.agent.onApplicationShutdown();
    await this.origin.stop();
    await this.elsewhere.stop();
  }

  /** Runs one attempt of the node. Rejects if `parameters` does not match the schema of the node. */
  readonly call = async (parameters: HttpParameters, signal?: AbortSignal): Promise<NodeResult> => {
    const faults = compileParameterSchema(HTTP_SCHEMA).check(parameters);
    if (faults.length > 0) throw new Error(JSON.stringify(faults));
    return this.node.run(nodeContext(parameters, signal === undefined ? {} : { signal }));
  };

  readonly outputOf = async (parameters: HttpParameters): Promise<unknown> => {
    const result = await this.call(parameters);
    return result.kind === 'output' ? result.output : result;
  };

  readonly failureOf = async (parameters: HttpParameters): Promise<NodeFailure> => {
    const error: unknown = await this.call(parameters).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof NodeFailure)) throw new Error(`Expected a NodeFailure, got ${String(error)}`);
    return error;
  };

  /** Sets the response of the server `origin` for a path. Returns the URL of the path. */
  readonly answer = (
    path: string,
    status: number,
    headers: Readonly<Record<string, string | string[]>>,
    body: string | Buffer = '',
  ): string => {
    this.origin.answers.set(path, (_, response) => void response.writeHead(status, headers).end(body));
    return `${this.origin.url}${path}`;
  };
}
