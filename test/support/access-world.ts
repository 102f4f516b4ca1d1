import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AccessEpoch, type Role, ROLES, type ScopeGrant } from '../../src/access/index.js';
import { newId } from '../../src/platform/index.js';
import { Writer } from '../../src/storage/index.js';
import { TeamsService } from '../../src/teams/index.js';
import { UsersService } from '../../src/users/index.js';
import { until } from './until.js';
import { newKeyOf, newPerson, type TestPerson } from './people.js';
import { TestService } from './service.js';

export const PASSWORD = 'correct horse battery';

/**
 * Ids of resources that belong to the tested team. The keys are path segments, such as `workflows`, or path parameters.
 */
export type Belongings = Readonly<Record<string, string>>;

/** A service with two teams. The first team has one resource of each kind and one member for each role. */
export class AccessWorld {
  private readonly keys = new Map<string, Promise<string>>();

  private constructor(
    readonly service: TestService,
    readonly people: Readonly<Record<Role, TestPerson>>,
    readonly belongings: Belongings,
    /** An API key of the owner of the second team. */
    readonly foreignKey: string,
    /** An API key of the first team's owner for one project. The project contains none of the team's resources. */
    readonly boundKey: string,
  ) {}

  /**
   * @param environment settings that override those of tests; by default, the header X-Forwarded-For sets the caller's
   * address
   */
  static async start(
    environment: Readonly<Record<string, string>> = { TRUSTED_PROXIES: '127.0.0.1' },
  ): Promise<AccessWorld> {
    const service = await TestService.start({ environment });
    const people = {} as Record<Role, TestPerson>;
    for (const role of ROLES) people[role] = await newPerson(service, role);
    const workflow = await made(service, '/v1/workflows', {
      name: 'Mine',
      nodes: [{ id: 'first', type: 'set', with: { value: { secret: 'of the team' } } }],
    });
    const session = await made(service, '/v1/sessions', { name: 'Mine' });
    const execution = await made(service, `/v1/workflows/${workflow}/executions?wait=60`, {
      session_id: session,
      input: { secret: 'of the team' },
    });
    const schedule = await made(service, '/v1/schedules', {
      workflow_id: workflow,
      cron: '@yearly',
      input: { secret: 'of the team' },
    });
    const secret = await made(service, '/v1/secrets', { name: 'OF_THE_TEAM', value: 'of the team' });
    const backfill = await madeBy(202, service, `/v1/schedules/${schedule}/backfill`, {
      from: '2026-02-01T00:00:00Z',
      to: '2026-02-01T00:00:01Z',
    });
    const hook = await made(service, '/v1/hooks', {
      workflow_id: workflow,
      input: { secret: 'of the team' },
    });
    const webhook = await made(service, '/v1/webhooks', {
      url: 'https://webhooks.invalid/events',
      description: 'of the team',
    });
    // The webhook is paused, because its deliveries would change the database while a test compares the database.
    await service.post(`/v1/webhooks/${webhook}/pause`, undefined);
    const bulkJob = await madeBy(202, service, '/v1/bulk-jobs', {
      action: 'resume',
      filter: { ids: [execution] },
      reason: 'of the team',
    });
    const ofJob = `/v1/bulk-jobs/${bulkJob}`;
    await until(
      'the end of the bulk job',
      async () => (await service.get(ofJob)).body['status'] !== 'running',
    );
    const savedView = await made(service, '/v1/saved-views', {
      page: 'executions',
      name: 'of the team',
      settings: { filters: {} },
    });
    const { teamId } = service.admin;
    await service.post(`/v1/teams/${teamId}/members`, { email: 'invited@example.com', role: 'viewer' });
    const invitations = await service.get<{ data: readonly { id: string }[] }>(
      `/v1/teams/${teamId}/invitations`,
    );
    const { project, key: foreignKey } = await service.newStranger();
    const belongings: Belongings = {
      workflows: workflow,
      executions: execution,
      sessions: session,
      schedules: schedule,
      hooks: hook,
      backfills: backfill,
      secrets: secret,
      webhooks: webhook,
      'bulk-jobs': bulkJob,
      'saved-views': savedView,
      keys: people.member.keyId,
      teams: teamId,
      users: people.member.id,
      members: people.viewer.id,
      invitations: invitations.body.data[0]?.id ?? '',
      projects: service.project.id,
      'sign-ins': '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11',
      versions: '1',
      events: '1',
      field: 'output',
    };
    const other = await service.newProject();
    const boundKey = await service.newKey({ projectId: other.id });
    if (project.teamId === teamId)
      throw new Error('The user without access must be in a different team than the admin.');
    return new AccessWorld(service, people, belongings, foreignKey, boundKey);
  }

  /**
   * Returns an API key of the member with the given role. The key has exactly the given scopes, even scopes
   * that the role does not grant.
   */
  keyOf(role: Role, scopes: readonly ScopeGrant[]): Promise<string> {
    const name = `${role} ${scopes.join()}`;
    const known = this.keys.get(name) ?? this.make(role, scopes);
    this.keys.set(name, known);
    return known;
  }

  /** Returns an API path whose parameters are replaced by the ids of the team's resources. */
  path(template: string, belongings: Belongings = this.belongings): string {
    let owner = '';
    return template
      .split('/')
      .map((segment) => {
        const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
        if (parameter === undefined) owner = segment;
        if (segment === '{*path}') return 'no/such/path';
        return parameter === undefined ? segment : (belongings[parameter] ?? belongings[owner] ?? newId());
      })
      .join('/');
  }

  /**
   * Returns a hash of all database tables, to detect changes. The hash excludes the last use of keys and sign-ins, and
   * rows that are written in the background.
   */
  async digest(): Promise<string> {
    const data = this.service.app.get(DataSource, { strict: false });
    const tables = await data.query<readonly { readonly name: string }[]>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('instances', 'audit_seals') ORDER BY name`,
    );
    const hash = createHash('sha256');
    for (const { name } of tables) {
      const rows = await data.query<readonly object[]>(`SELECT * FROM "${name}"`);
      const kept = name === 'audit_log' ? rows.filter((row) => !isRefusal(row)) : rows;
      const texts = kept.map((row) =>
        JSON.stringify(row, (key, value: unknown) => (SEEN.has(key) ? undefined : value)),
      );
      hash.update(JSON.stringify([name, texts.sort()]));
    }
    return hash.digest('hex');
  }

  /** Runs an SQL statement, and makes the service drop its cached access rights. */
  async change(sql: string, ...parameters: readonly unknown[]): Promise<void> {
    const { app } = this.service;
    const unit = app
      .get(AccessEpoch, { strict: false })
      .change({ writes: [{ sql, parameters: [...parameters] }] });
    await app.get(Writer, { strict: false }).commit(unit);
  }

  /** Adds a new owner to the team and signs the owner in. @returns the session cookie and the CSRF token */
  async signedIn(): Promise<{ readonly cookie: string; readonly token: string }> {
    const email = `${newId()}@example.com`;
    await newAccount(this.service, email);
    const { headers, body } = await this.service.post<{ csrf_token: string }>(
      '/v1/auth/sign-in',
      { email, password: PASSWORD },
      { key: null, headers: { origin: this.service.baseUrl } },
    );
    return { cookie: (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '', token: body.csrf_token };
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  private async make(role: Role, scopes: readonly ScopeGrant[]): Promise<string> {
    const { id, teamId } = this.people[role];
    // The scopes are set by SQL, because the API rejects scopes that the role of the user does not grant.
    const key = await newKeyOf(this.service, { id, teamId, role: 'owner' }, { scopes: ['*'] });
    await this.change('UPDATE api_keys SET scopes = ? WHERE id = ?', JSON.stringify(scopes), key.id);
    return key.secret;
  }
}

/** Adds a new owner with a password to the admin's team. @returns the id of the new user */
export async function newAccount({ app, admin }: TestService, email: string): Promise<string> {
  const { user, writes } = await app
    .get(UsersService, { strict: false })
    .prepare({ email, password: PASSWORD });
  const joining = app
    .get(TeamsService, { strict: false })
    .joining(admin.teamId, user.id, 'owner', () => new Error('The person is already a member of the team.'));
  await app.get(Writer, { strict: false }).commit({ writes: [...writes, ...joining] });
  return user.id;
}

function isRefusal(row: object): boolean {
  return 'action' in row && /^(\w+\.refused|refusals\.summarized)$/.test(String(row.action));
}

const SEEN: ReadonlySet<string> = new Set(['last_used_at', 'last_used_ip', 'last_seen_at']);

function made(service: TestService, path: string, body: object): Promise<string> {
  return madeBy(201, service, path, body);
}

async function madeBy(status: number, service: TestService, path: string, body: object): Promise<string> {
  const answer = await service.post(path, body);
  if (answer.status !== status)
    throw new Error(`${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}
