import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Agent } from 'undici';
import { type Settings, SETTINGS } from '../../settings/index.js';
import { EffectGuard } from '../../instances/index.js';
import { egressConnector } from './egress-connector.js';
import { EgressPolicy } from './egress-policy.js';
import { KeptConnections } from './kept-connections.js';

/** Connections to one origin at once. */
const MAX_CONNECTIONS = 128;

/** The kept-alive connections of all requests that workflows make. No proxy of the environment is used. */
@Injectable()
export class EgressAgent implements OnApplicationShutdown {
  readonly connections: KeptConnections;
  private agent: Promise<Agent> | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    readonly effects: EffectGuard,
  ) {
    this.connections = new KeptConnections(() => effects.isSure());
  }

  /** Made for the first request: a service whose workflows send none is spared the memory of the package. */
  dispatcher(): Promise<Agent> {
    return (this.agent ??= this.made());
  }

  /** Not when modules are destroyed, which comes first: runs have had their grace by now; what is open is cut. */
  async onApplicationShutdown(): Promise<void> {
    this.connections.stop();
    await (await this.agent)?.destroy();
  }

  private async made(): Promise<Agent> {
    const undici = await import('undici');
    return new undici.Agent({
      connect: this.connections.watching(egressConnector(new EgressPolicy(this.settings.EGRESS_ALLOW))),
      connections: MAX_CONNECTIONS,
      allowH2: false,
      // The deadline of the attempt covers these.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }
}
