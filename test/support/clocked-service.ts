import { ROUTING } from '../../src/application.js';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { AccessEpoch } from '../../src/access/index.js';
import { EventSocketAdapter } from '../../src/events/index.js';
import { CLOCK } from '../../src/platform/index.js';
import { type DatabaseSettings, readSettings } from '../../src/settings/index.js';
import { HOOKS_PATH } from '../../src/hooks/index.js';
import { configureHttp, HttpAdapter } from '../../src/http/index.js';
import { type Write, Writer } from '../../src/storage/index.js';
import { copySqlite } from './database.js';
import { ManualClock } from './manual-clock.js';

export interface ClockedAnswer {
  readonly status: number;
  readonly headers: Headers;
  // The type is `any`, because tests read many different fields of responses.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** The whole service with real HTTP and without users. The test advances its clock. */
export class ClockedService {
  private constructor(
    readonly app: NestExpressApplication,
    readonly clock: ManualClock,
    readonly url: string,
    private readonly directory: string,
  ) {}

  /**
   * @param database an empty database; default: SQLite in a new directory
   * @param clock default: a clock that starts at the current time
   */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    database?: DatabaseSettings,
    clock = new ManualClock(),
  ): Promise<ClockedService> {
    const directory = mkdtempSync(join(tmpdir(), 'workflow-service-'));
    if (database === undefined) await copySqlite(join(directory, 'workflow.sqlite'));
    const settings = readSettings({
      DATA_DIR: directory,
      LOG_LEVEL: 'silent',
      NODE_ENV: 'test',
      DEFAULT_PLAN: 'enterprise',
      ...(database === undefined ? {} : { DATABASE_URL: urlOf(database) }),
      ...environment,
    });
    const testing = await Test.createTestingModule({ imports: [AppModule.forRoot(settings)] })
      .overrideProvider(CLOCK)
      .useValue(clock)
      .compile();
    const app = testing.createNestApplication<NestExpressApplication>(new HttpAdapter(), {
      ...ROUTING,
      bodyParser: false,
      logger: false,
    });
    app.useWebSocketAdapter(new EventSocketAdapter(app));
    configureHttp(app, settings, { formPaths: ['/v1/auth/token'], rawPrefix: HOOKS_PATH });
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return new ClockedService(app, clock, `http://127.0.0.1:${port}`, directory);
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ClockedAnswer> {
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }

  /** Writes to the database, and makes every process of the service drop its cached access rights. */
  async change(...writes: readonly Write[]): Promise<void> {
    const epoch = this.app.get(AccessEpoch, { strict: false });
    await this.app.get(Writer, { strict: false }).commit(epoch.change({ writes }));
  }

  async close(): Promise<void> {
    await this.app.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Returns the status and the error code of a response, such as `401 sign_in_ended`. */
export function code({ status, body }: ClockedAnswer): string {
  return `${status} ${(body as { error?: { code?: string } } | null)?.error?.code ?? ''}`.trim();
}

function urlOf(database: DatabaseSettings): string {
  return database.dialect === 'sqlite' ? `sqlite://${database.path}` : database.url;
}
