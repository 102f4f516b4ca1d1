import { ApiProperty } from '@nestjs/swagger';
import { type Role, ROLE_SCOPES, ROLES, type Scope, SCOPES } from '../../access/index.js';
import type { TeamOfUser, User } from '../../users/index.js';
import type { CurrentSignIn, SignIn } from './sign-in.js';
import { csrfTokenOf } from './sign-in-secret.js';

class SignedInUserView {
  @ApiProperty({ type: 'string', format: 'uuid' })
  id: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'ada@example.com' })
  email: string;

  @ApiProperty({ type: 'string', example: 'Ada Lovelace' })
  name: string;
}

class SignedInTeamView {
  @ApiProperty({ type: 'string', format: 'uuid' })
  id: string;

  @ApiProperty({ type: 'string', example: 'Default team' })
  name: string;

  @ApiProperty({ enum: ROLES, example: 'owner' })
  role: Role;

  /** All scopes that the person's role in the team grants. */
  @ApiProperty({ enum: SCOPES, isArray: true, example: ['workflows:read', 'workflows:write'] })
  scopes: readonly Scope[];
}

/** A signed-in person as the API returns it. No response body contains the value of the sign-in cookie. */
export class SignedInView {
  @ApiProperty({ type: () => SignedInUserView })
  user: SignedInUserView;

  /** All teams of the person, in the order of joining. */
  @ApiProperty({ type: () => [SignedInTeamView] })
  teams: readonly SignedInTeamView[];

  /** Id of the selected team. All requests of the sign-in act in this team. */
  @ApiProperty({ type: 'string', format: 'uuid' })
  team_id: string;

  /** CSRF token. Send the token as `X-CSRF-Token` with every request that changes something. */
  @ApiProperty({ type: 'string', example: 'mJ3kS0c2Zl9rV1xq7nTgYbHwPdEaUoFi5sLtKzQ8vXc' })
  csrf_token: string;

  /** Time at which the sign-in ends even if it is in use. Twelve hours without a request end it earlier. */
  @ApiProperty({ type: 'string', format: 'date-time' })
  expires_at: string;
}

/** An active sign-in of the caller, as the API returns it. */
export class SignInView {
  @ApiProperty({ type: 'string', format: 'uuid' })
  id: string;

  /** Whether the current request uses this sign-in. */
  @ApiProperty({ type: 'boolean', example: true })
  current: boolean;

  /** IP address from which the person signed in. */
  @ApiProperty({ type: 'string', example: '203.0.113.7' })
  address: string;

  @ApiProperty({
    type: 'string',
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  })
  user_agent: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  /** Time at which the sign-in was last used, accurate to one minute. */
  @ApiProperty({ type: 'string', format: 'date-time' })
  last_seen_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expires_at: string;
}

export function signedInView(
  { id, email, name }: User,
  teams: readonly TeamOfUser[],
  signIn: CurrentSignIn,
): SignedInView {
  return {
    user: { id, email, name },
    teams: teams.map(({ id: teamId, name: teamName, role }) => ({
      id: teamId,
      name: teamName,
      role,
      scopes: [...ROLE_SCOPES[role]],
    })),
    team_id: signIn.teamId,
    csrf_token: csrfTokenOf(signIn.secret),
    expires_at: signIn.expiresAt,
  };
}

export function signInView(signIn: SignIn, current: SignIn): SignInView {
  return {
    id: signIn.id,
    current: signIn.id === current.id,
    address: signIn.address,
    user_agent: signIn.userAgent,
    created_at: signIn.createdAt,
    last_seen_at: signIn.lastSeenAt,
    expires_at: signIn.expiresAt,
  };
}
