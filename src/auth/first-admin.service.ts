import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime, Writer } from '../platform/index.js';
import { type ApiKey, KeysService } from '../keys/index.js';
import { type Project, ProjectsService } from '../projects/index.js';
import { type Membership, type Team, TeamsService } from '../teams/index.js';
import { type NewUser, type User, UsersService } from '../users/index.js';
import { AlreadySetUpError } from './auth.errors.js';
import { InstallationRepository } from './installation.repository.js';

const TEAM_NAME = 'Default team';
const PROJECT_NAME = 'Default project';
const KEY_NAME = 'Bootstrap key';

/** All that an empty service gets at once. */
export interface FirstAdmin {
  readonly user: User;
  readonly team: Team;
  readonly membership: Membership;
  readonly project: Project;
  readonly key: ApiKey;
  /** The key in plain text, this once. */
  readonly secret: string;
}

/** Makes the first admin with a team, a project and a key that may do everything. */
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
   * @throws AlreadySetUpError when the service has a user.
   * @throws InvalidUserError when the address or the password cannot be taken.
   */
  async create(newUser: NewUser): Promise<FirstAdmin> {
    if (await this.users.hasAny()) throw new AlreadySetUpError();
    const { user, writes: userWrites } = await this.users.prepare(newUser);
    const { team, owner: membership, writes: teamWrites } = this.teams.prepare(TEAM_NAME, user.id);
    const { project, writes: projectWrites } = this.projects.prepare(team.id, PROJECT_NAME);
    const maker = {
      userId: user.id,
      teamId: team.id,
      projectId: null,
      role: membership.role,
      scopes: ['*'],
    } as const;
    const {
      key,
      secret,
      writes: keyWrites,
    } = this.keys.prepare(maker, { name: KEY_NAME, environment: 'development' });
    const claim = this.installation.insert(isoTime(this.clock.now()), () => new AlreadySetUpError());
    await this.writer.commit({
      writes: [claim, ...userWrites, ...teamWrites, ...projectWrites, ...keyWrites],
    });
    return { user, team, membership, project, key, secret };
  }
}
