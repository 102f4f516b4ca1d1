import type { NestExpressApplication } from '@nestjs/platform-express';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication } from '../../src/application.js';
import { FirstAdminService } from '../../src/auth/index.js';
import { readSettings } from '../../src/settings/index.js';
import { copySqlite } from './database.js';

/** The service with all its modules and its own database. The field `key` is an API key with all scopes. */
export interface WholeService {
  readonly app: NestExpressApplication;
  readonly port: number;
  readonly url: string;
  readonly key: string;
  close(): Promise<void>;
}

export async function startWholeService(
  environment: Readonly<Record<string, string>> = {},
): Promise<WholeService> {
  const directory = mkdtempSync(join(tmpdir(), 'workflow-service-'));
  if (environment['DATABASE_URL'] === undefined) await copySqlite(join(directory, 'workflow.sqlite'));
  const app = await createApplication(
    readSettings({ DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'silent', NODE_ENV: 'test', ...environment }),
  );
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const { secret } = await app.get(FirstAdminService).create({ email: 'admin@example.com' });
  return {
    app,
    port,
    url: `http://127.0.0.1:${port}`,
    key: secret,
    close: async () => {
      await app.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
