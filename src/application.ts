import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { EventSocketAdapter } from './events/index.js';
import { configureHttp, ServiceLogger, type Settings, setupOpenApi } from './platform/index.js';

const DESCRIPTION =
  'Create workflows (graphs of nodes), execute them durably and watch every step live over the WebSocket at `/ws`.';

/**
 * The service as an application that does not listen yet.
 * @throws DatabaseUnavailableError; DatabaseInUseError when another process runs on the same SQLite file.
 */
export async function createApplication(settings: Settings): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(settings), {
    bodyParser: false,
    bufferLogs: true,
    // A client that keeps a connection without using it must not hold up the end.
    forceCloseConnections: true,
    abortOnError: false,
  });
  app.useLogger(app.get(ServiceLogger));
  app.useWebSocketAdapter(new EventSocketAdapter(app));
  configureHttp(app, settings, { formPaths: ['/v1/auth/token'] });
  setupOpenApi(app, {
    title: 'Workflow Service',
    version: '1.0.0',
    description: DESCRIPTION,
    serverUrl: settings.BASE_URL ?? '/',
  });
  return app;
}
