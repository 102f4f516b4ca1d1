import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Principal, ScopeGrant } from '../../src/access/index.js';
import { KeyAuthenticator } from '../../src/auth/index.js';
import type { JsonObject } from '../../src/expressions/index.js';
import { KeysService } from '../../src/keys/index.js';
import type { DatabaseSettings } from '../../src/settings/index.js';
import { newId } from '../../src/platform/index.js';
import { Writer } from '../../src/storage/index.js';
import { type Project, ProjectsService } from '../../src/projects/index.js';
import { TeamsService } from '../../src/teams/index.js';
import { UsersService } from '../../src/users/index.js';
import { startWholeService, type WholeService } from './whole-service.js';

/** A rate-limit plan whose limits no test reaches. Tests of rate limits choose another plan. */
const UNLIMITED = { DEFAULT_PLAN: 'enterprise' };

/** A resource in an API response. The type promises an id, because most resources have one. */
export type TestResource = JsonObject & { readonly id: string };

/** An API response with its parsed body. */
export interface TestAnswer<T = TestResource> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
  /** The error in the response. Tests read it only from responses with an error status. */
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

export interface TestRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The API key to send. By default, the key of the admin; null sends no key. */
  readonly key?: string | null;
}

/** The whole service in the process of the test, with real HTTP and a first admin. */
export class TestService {
  private constructor(
    private readonly service: WholeService,
    /** The admin as the authenticated caller of service methods. */
    readonly admin: Principal,
    /** The admin's project, which exists from the start. */
    readonly project: Project,
  ) {}

  /**
   * @param options.environment settings that override those of tests
   * @param options.database an empty database; default: SQLite in a new directory
   */
  static async start(
    options: {
      readonly environment?: Readonly<Record<string, string>>;
      readonly database?: DatabaseSettings;
    } = {},
  ): Promise<TestService> {
    const { database, environment } = options;
    const url =
      database === undefined
        ? {}
        : { DATABASE_URL: database.dialect === 'sqlite' ? `sqlite://${database.path}` : database.url };
    const service = await startWholeService({ ...UNLIMITED, ...url, ...environment });
    const admin = await service.app
      .get(KeyAuthenticator, { strict: false })
      .authenticate(service.key, '127.0.0.1');
    const project = await service.app.get(ProjectsService, { strict: false }).resolve(admin, undefined);
    return new TestService(service, admin, project);
  }

  get app(): NestExpressApplication {
    return this.service.app;
  }

  get baseUrl(): string {
    return this.service.url;
  }

  get key(): string {
    return this.service.key;
  }

  stop(): Promise<void> {
    return this.service.close();
  }

  async request<T = TestResource>(
    method: string,
    path: string,
    { body, headers, key = this.key }: TestRequest = {},
  ): Promise<TestAnswer<T>> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = (text === '' ? null : JSON.parse(text)) as T & Pick<TestAnswer, 'error'>;
    return { status: response.status, headers: response.headers, body: parsed, error: parsed?.error };
  }

  get<T = TestResource>(path: string, request?: TestRequest): Promise<TestAnswer<T>> {
    return this.request('GET', path, request);
  }

  post<T = TestResource>(path: string, body?: unknown, request?: TestRequest): Promise<TestAnswer<T>> {
    return this.request('POST', path, { ...request, body });
  }

  patch<T = TestResource>(path: string, body?: unknown, request?: TestRequest): Promise<TestAnswer<T>> {
    return this.request('PATCH', path, { ...request, body });
  }

  delete(path: string, request?: TestRequest): Promise<TestAnswer> {
    return this.request('DELETE', path, request);
  }

  /** Creates an API key for the admin with fewer scopes or for one project. */
  async newKey(wanted: {
    readonly scopes?: readonly ScopeGrant[];
    readonly projectId?: string;
  }): Promise<string> {
    const { secret } = await this.app
      .get(KeysService, { strict: false })
      .create(this.admin, { name: 'test', ...wanted });
    return secret;
  }

  /** Creates a project in a team. The default is the team of the admin. */
  async newProject(teamId = this.admin.teamId): Promise<Project> {
    const { project, writes } = this.app.get(ProjectsService, { strict: false }).prepare(teamId, 'Another');
    await this.app.get(Writer, { strict: false }).commit({ writes });
    return project;
  }

  /** Creates a team with a project and an owner. @returns the project and an API key of the owner */
  async newStranger(): Promise<{ readonly project: Project; readonly key: string }> {
    const { user, writes } = await this.app
      .get(UsersService, { strict: false })
      .prepare({ email: `${newId()}@example.com` });
    const made = this.app.get(TeamsService, { strict: false }).prepare('Strangers', user.id);
    await this.app.get(Writer, { strict: false }).commit({ writes: [...writes, ...made.writes] });
    const project = await this.newProject(made.team.id);
    const owner = {
      userId: user.id,
      teamId: made.team.id,
      projectId: null,
      role: made.owner.role,
      scopes: ['*'],
    } as const;
    const { secret } = await this.app.get(KeysService, { strict: false }).create(owner, { name: 'test' });
    return { project, key: secret };
  }
}
