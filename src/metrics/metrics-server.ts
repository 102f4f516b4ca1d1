import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { SETTINGS, type Settings, SettingsError } from '../settings/index.js';
import { METRICS, type Metrics } from './metrics.js';

/** Serves `/metrics` on `METRICS_PORT` without a token. The network should let only the scraper reach this port. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsServer.name);
  private server: Server | null = null;

  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'HOST' | 'METRICS_PORT'>,
  ) {}

  /** @throws SettingsError when the port is in use */
  async onApplicationBootstrap(): Promise<void> {
    const { HOST: host, METRICS_PORT: port } = this.settings;
    if (this.metrics === null || port === undefined) return;
    const { metrics } = this;
    this.server = createServer((request, response) => {
      void this.answer(metrics, request, response);
    });
    this.server.listen(port, host);
    await once(this.server, 'listening').catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      throw new SettingsError([
        `METRICS_PORT: cannot listen on ${host}:${port} (${code}); choose another port.`,
      ]);
    });
    this.logger.log(`Metrics on http://${host}:${port}/metrics`);
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private async answer(
    metrics: NonNullable<Metrics>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await metrics.text();
      response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
    } catch (error) {
      this.logger.warn({ err: error }, 'The metrics could not be collected.');
      response.writeHead(503).end();
    }
  }
}
