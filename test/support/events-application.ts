import { Injectable, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AccessEpoch, AccessModule, type ScopeGrant } from '../../src/access/index.js';
import { AuthModule, BearerGuard, FirstAdminService, ScopeGuard } from '../../src/auth/index.js';
import { TokenExchangeModule } from '../../src/token-exchange/index.js';
import type { FirstAdmin } from '../../src/auth/first-admin.service.js';
import { isFinalEventType, type JournalEvent } from '../../src/execution-events/index.js';
import {
  type EventSubject,
  EventSubjects,
  EventsModule,
  EventSocketAdapter,
  type ExecutionSubject,
} from '../../src/events/index.js';
import type { SocketLimits } from '../../src/events/socket-limits.js';
import { Journal, JournalModule, JournalRepository, type JournalScope } from '../../src/journal/index.js';
import { lastSequence } from '../../src/journal/batch.js';
import { KeysModule, KeysService } from '../../src/keys/index.js';
import type { NewKey } from '../../src/keys/api-key.js';
import { ClockModule, newId } from '../../src/platform/index.js';
import { ConfigModule, type DatabaseSettings, readSettings } from '../../src/settings/index.js';
import { configureHttp, HTTP_PROVIDERS, HttpAdapter, InputGuard } from '../../src/http/index.js';
import { DatabaseModule, Writer } from '../../src/storage/index.js';
import { IdempotencyModule } from '../../src/idempotency/index.js';
import { ENTITIES } from '../../src/schema.js';
import { type Project, ProjectsModule, ProjectsService } from '../../src/projects/index.js';
import { TeamsModule, TeamsService } from '../../src/teams/index.js';
import { UsersModule, UsersService } from '../../src/users/index.js';

/** The admin that the application has from its start. */
export const ADMIN = { email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' };

/**
 * Looks up executions without the modules that normally store them. An execution exists if the journal contains its
 * events.
 */
@Injectable()
export class JournalSubjects extends EventSubjects {
  constructor(
    private readonly journal: JournalRepository,
    private readonly projects: ProjectsService,
  ) {
    super();
  }

  async execution(id: string): Promise<ExecutionSubject | undefined> {
    const { batches } = await this.journal.ofExecution(id, 0, 1_000_000);
    const last = batches.at(-1);
    const final = last?.events.at(-1);
    if (last === undefined || final === undefined) return undefined;
    return {
      projectId: last.projectId,
      sessionId: null,
      lastSequence: lastSequence(last),
      isFinal: isFinalEventType(final.type),
    };
  }

  /** Tests of events use the id of a project also as the id of its workflow and of its session. */
  async workflow(id: string): Promise<EventSubject | undefined> {
    return (await this.projects.find(id)) === null ? undefined : { projectId: id };
  }

  async session(id: string): Promise<EventSubject | undefined> {
    return this.workflow(id);
  }
}

/** A process of the service that contains only the modules for access control, journal and events. */
export class EventsApplication {
  private constructor(
    readonly app: NestExpressApplication,
    readonly admin: FirstAdmin,
  ) {}

  /** @param known the admin, if another process has already set up the database */
  static async start(
    database: DatabaseSettings,
    limits: Partial<SocketLimits> = {},
    known?: FirstAdmin,
  ): Promise<EventsApplication> {
    const url = database.dialect === 'sqlite' ? `sqlite://${database.path}` : database.url;
    const settings = readSettings({ DATABASE_URL: url, NODE_ENV: 'test', TRUSTED_PROXIES: '127.0.0.1/32' });
    @Module({
      imports: [
        ConfigModule.forRoot(settings),
        ClockModule,
        DatabaseModule.forRoot({ entities: ENTITIES, migrations: [] }),
        IdempotencyModule,
        AccessModule,
        UsersModule,
        TeamsModule,
        ProjectsModule,
        KeysModule,
        AuthModule,
        TokenExchangeModule,
        JournalModule,
        EventsModule.forRoot({ imports: [ProjectsModule], subjects: JournalSubjects, limits }),
      ],
      providers: [
        ...HTTP_PROVIDERS,
        { provide: APP_GUARD, useClass: BearerGuard },
        { provide: APP_GUARD, useClass: ScopeGuard },
        { provide: APP_GUARD, useClass: InputGuard },
      ],
    })
    class EventsTestModule {}
    const testing = await Test.createTestingModule({ imports: [EventsTestModule] }).compile();
    const app = testing.createNestApplication<NestExpressApplication>(new HttpAdapter(), {
      logger: false,
      bodyParser: false,
    });
    configureHttp(app, settings);
    app.useWebSocketAdapter(new EventSocketAdapter(app));
    await app.listen(0, '127.0.0.1');
    const admin = known ?? (await app.get(FirstAdminService).create(ADMIN));
    return new EventsApplication(app, admin);
  }

  get url(): string {
    const address = this.app.getHttpServer().address() as { readonly port: number };
    return `127.0.0.1:${address.port}`;
  }

  /** Creates an API key of the admin. @returns the id and the secret of the key */
  async key(
    wanted: Partial<NewKey> & { readonly scopes?: readonly ScopeGrant[] } = {},
  ): Promise<{ id: string; secret: string }> {
    const { user, team, membership } = this.admin;
    const maker = {
      userId: user.id,
      teamId: team.id,
      projectId: null,
      role: membership.role,
      scopes: ['*'],
    } as const;
    const { key, secret } = await this.app
      .get(KeysService, { strict: false })
      .create(maker, { name: 'test', ...wanted });
    return { id: key.id, secret };
  }

  /** Changes the scopes of an API key, and makes all processes drop their cached keys. */
  async changeScopes(keyId: string, scopes: readonly ScopeGrant[]): Promise<void> {
    const sql = `UPDATE api_keys SET scopes = '${JSON.stringify(scopes)}' WHERE id = '${keyId}'`;
    const change = this.app.get(AccessEpoch).change({ writes: [{ sql, parameters: [] }] });
    await this.app.get(Writer).commit(change);
  }

  /** Creates a project in a team to which the admin does not belong. */
  async foreignProject(): Promise<Project> {
    const writer = this.app.get(Writer);
    const { user, writes } = await this.app
      .get(UsersService, { strict: false })
      .prepare({ email: `${newId()}@example.com` });
    const made = this.app.get(TeamsService, { strict: false }).prepare('Strangers', user.id);
    await writer.commit({ writes: [...writes, ...made.writes] });
    return this.project(made.team.id);
  }

  async project(teamId: string = this.admin.team.id): Promise<Project> {
    const { project, writes } = this.app.get(ProjectsService, { strict: false }).prepare(teamId, 'Another');
    const unit = this.app.get(AccessEpoch, { strict: false }).change({ writes });
    await this.app.get(Writer).commit(unit);
    return project;
  }

  execution(projectId: string = this.admin.project.id): TestExecution {
    return new TestExecution(this.app.get(Journal), {
      executionId: newId(),
      projectId,
      workflowId: projectId,
      sessionId: projectId,
    });
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

/** An execution that consists only of events in the journal. The test appends the events. */
export class TestExecution {
  private last = 0;

  constructor(
    private readonly journal: Journal,
    readonly scope: JournalScope,
  ) {}

  get id(): string {
    return this.scope.executionId;
  }

  get lastSequence(): number {
    return this.last;
  }

  async append(...events: readonly JournalEvent[]): Promise<void> {
    const after = this.last;
    this.last += events.length;
    await this.journal.append({ scope: this.scope, after, events, otherWrites: [] });
  }
}

export function paused(reason = 'because'): JournalEvent {
  return {
    type: 'workflow.paused',
    at: Date.now(),
    nodeId: null,
    attempt: null,
    data: { status: 'paused', reason },
  };
}

export function completed(output: string): JournalEvent {
  return {
    type: 'workflow.completed',
    at: Date.now(),
    nodeId: null,
    attempt: null,
    data: { status: 'completed', output, duration_ms: 1, progress: { completed: 1, total: 1 } },
  };
}
