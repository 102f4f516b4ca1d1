import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import { createApplication } from '../../src/application.js';
import { type DatabaseSettings, readSettings } from '../../src/settings/index.js';

/** Starts a second process of the service on the PostgreSQL database of the first process. */
export async function startSecond(
  database: DatabaseSettings,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly app: NestExpressApplication; readonly url: string; close(): Promise<void> }> {
  if (database.dialect !== 'postgres') throw new Error('SQLite supports only one process.');
  const app = await createApplication(
    readSettings({
      DATABASE_URL: database.url,
      PORT: '0',
      LOG_LEVEL: 'silent',
      NODE_ENV: 'test',
      DEFAULT_PLAN: 'enterprise',
      ...environment,
    }),
  );
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, url: `http://127.0.0.1:${port}`, close: () => app.close() };
}
