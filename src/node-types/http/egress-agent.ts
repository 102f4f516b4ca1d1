import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Agent } from 'undici';
import { type Settings, SETTINGS } from '../../settings/index.js';
import { EffectGuard } from '../../instances/index.js';
import { egressConnector } from './egress-connector.js';
import { EgressPolicy } from './egress-policy.js';
import { KeepAliveConnections } from './keep-alive-connections.js';

/** Maximum number of connections to one origin (scheme, host and port). */
const MAX_CONNECTIONS = 128;

/** Sends the requests of all `http` nodes over keep-alive connections. Ignores environment variables for proxies. */
@Injectable()
export class EgressAgent implements OnApplicationShutdown {
  readonly connections: KeepAliveConnections;
  private agent: Promise<Agent> | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    readonly effects: EffectGuard,
  ) {
    this.connections = new KeepAliveConnections(() => effects.isSure());
  }

  /**
   * Returns the HTTP client undici. The first call loads undici, which saves memory in a process that sends no
   * requests.
   */
  dispatcher(): Promise<Agent> {
    return (this.agent ??= this.createAgent());
  }

  /**
   * Closes all connections at application shutdown. `onModuleDestroy` would run too early, before the grace period of
   * running executions ends.
   */
  async onApplicationShutdown(): Promise<void> {
    this.connections.stop();
    await (await this.agent)?.destroy();
  }

  private async createAgent(): Promise<Agent> {
    const undici = await import('undici');
    return new undici.Agent({
      connect: this.connections.trackConnections(
        egressConnector(new EgressPolicy(this.settings.EGRESS_ALLOW)),
      ),
      connections: MAX_CONNECTIONS,
      allowH2: false,
      // The timeouts of undici are off, because the timeout of the attempt already covers headers and body.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }
}
