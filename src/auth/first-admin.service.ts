import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { type Write, Writer } from '../storage/index.js';
import { type ApiKey, KeysService } from '../keys/index.js';
import { type Project, ProjectsService } from '../projects/index.js';
import { type Membership, type Team, TeamsService } from '../teams/index.js';
import { type NewUser, type User, UsersService } from '../users/index.js';
import { AlreadySetUpError } from './auth.errors.js';
import { InstallationRepository } from './installation.repository.js';

const TEAM_NAME = 'Default team';
const PROJECT_NAME = 'Default project';
const KEY_NAME = 'Bootstrap key';

interface Installed {
  readonly user: User;
  readonly team: Team;
  readonly membership: Membership;
  readonly project: Project;
}

/** A first admin that is not stored yet, and the writes that store the admin. */
export interface PreparedFirstAdmin extends Installed {
  readonly writes: readonly Write[];
}

export interface FirstAdmin extends Installed {
  readonly key: ApiKey;
  /** The API key in plain text, shown only once. */
  readonly secret: string;
}

@Injectable()
export class FirstAdminService {
  constructor(
    private readonly installation: InstallationRepository,
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    private readonly projects: ProjectsService,
    private readonly keys: KeysService,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Prepares the writes that create the first admin, but does not commit them. If several callers commit such writes,
   * all but the first fail with `AlreadySetUpError`.
   * @throws AlreadySetUpError if the service already has a user.
   * @throws InvalidUserError if the email address or the password is not acceptable.
   */
  async prepare(newUser: NewUser): Promise<PreparedFirstAdmin> {
    if (await this.users.hasAny()) throw new AlreadySetUpError();
    const { user, writes: userWrites } = await this.users.prepare(newUser);
    const { team, owner: membership, writes: teamWrites } = this.teams.prepare(TEAM_NAME, user.id);
    const { project, writes: projectWrites } = this.projects.prepare(team.id, PROJECT_NAME);
    const claim = this.installation.insert(isoTime(this.clock.now()), () => new AlreadySetUpError());
    return {
      user,
      team,
      membership,
      project,
      writes: [claim, ...userWrites, ...teamWrites, ...projectWrites],
    };
  }

  /**
   * Creates the first admin with an API key that has all scopes.
   * @throws AlreadySetUpError; InvalidUserError.
   */
  async create(newUser: NewUser): Promise<FirstAdmin> {
    const { writes, ...installed } = await this.prepare(newUser);
    const { user, team, membership } = installed;
    const maker = {
      userId: user.id,
      teamId: team.id,
      projectId: null,
      role: membership.role,
      scopes: ['*'],
    } as const;
    const made = this.keys.prepare(maker, { name: KEY_NAME, environment: 'development' });
    await this.writer.commit({ writes: [...writes, ...made.writes] });
    return { ...installed, key: made.key, secret: made.secret };
  }
}
