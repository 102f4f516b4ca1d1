import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../settings/index.js';
import { sandboxIsolation } from './sandbox-isolation.js';

/** Logs at startup which protections of sandboxed processes this system does not allow. */
@Injectable()
export class SandboxIsolationReport implements OnApplicationBootstrap {
  private readonly logger = new Logger('Sandbox');

  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'ROLE'>) {}

  onApplicationBootstrap(): void {
    if (this.settings.ROLE !== 'api') void this.report();
  }

  private async report(): Promise<void> {
    // After a failed detection, the first job detects the isolation again.
    const { missing } = await sandboxIsolation().catch(() => ({ missing: [] }));
    if (missing.length === 0) return;
    this.logger.warn(
      `This system does not support all protections of code and transform nodes. Missing: ${missing.join(', ')}. The limits of Node.js still apply. docs/deployment.md explains how to enable the protections.`,
    );
  }
}
