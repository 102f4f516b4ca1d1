import type { DatabaseKind, TestDatabase } from './database.js';
import { ExecutionCalls } from './execution-views.js';
import { FlakyServer } from './flaky-server.js';
import { TestService } from './service.js';

/** A service with its own database, and a test server that its workflows may call. */
export class ExecutionsWorld {
  private constructor(
    readonly service: TestService,
    readonly server: FlakyServer,
    readonly calls: ExecutionCalls,
    readonly database: TestDatabase,
  ) {}

  static async on(kind: DatabaseKind): Promise<ExecutionsWorld> {
    const database = await kind.create();
    const server = await FlakyServer.start();
    const service = await TestService.start({
      database: database.settings,
      environment: { EGRESS_ALLOW: server.address },
    });
    return new ExecutionsWorld(service, server, new ExecutionCalls(service), database);
  }

  async end(): Promise<void> {
    await this.service.stop();
    await this.server.stop();
    await this.database.drop();
  }
}
