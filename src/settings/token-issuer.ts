import { z } from 'zod';
import { url } from './setting-types.js';

const role = z.enum(['viewer', 'member', 'admin', 'owner']);

/** A token issuer whose JWTs the service exchanges for API tokens. */
const tokenIssuer = z
  .strictObject({
    issuer: z.string().min(1),
    audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
    /**
     * URL of the issuer's public keys. An issuer has either `jwks_url` or `jwks`, which contains the keys themselves.
     */
    jwks_url: url(['https', 'http']).optional(),
    jwks: z.looseObject({ keys: z.array(z.looseObject({})) }).optional(),
    algorithms: z
      .array(
        z.enum([
          'RS256',
          'RS384',
          'RS512',
          'PS256',
          'PS384',
          'PS512',
          'ES256',
          'ES384',
          'ES512',
          'EdDSA',
          'Ed25519',
        ]),
      )
      .min(1)
      .default(['RS256', 'ES256', 'EdDSA']),
    /** Value that the JWT header `typ` must have. Default: any value is accepted. */
    typ: z.string().min(1).optional(),
    max_age_seconds: z.int().min(1).max(86_400).default(3600),
    token_lifetime_seconds: z.int().min(60).max(86_400).default(3600),
    /**
     * Names of the JWT claims that the service reads. A name with dots is a path to a nested claim, unless a claim has
     * exactly that name.
     */
    claims: z
      .strictObject({
        email: z.string().default('email'),
        name: z.string().default('name'),
        team: z.string().optional(),
        role: z.string().optional(),
        scopes: z.string().optional(),
      })
      .prefault({}),
    /** Maps each value of the team claim to a team id. */
    teams: z.record(z.string(), z.uuid()).default({}),
    /** Maps each value of the role claim to a role. */
    roles: z.record(z.string(), role).default({}),
    /**
     * Whether the value of a claim is used directly as team id or role name, if `teams` or `roles` does not contain
     * this value. Tokens can then name any team.
     */
    any_team: z.boolean().default(false),
    /** Whether the role claim or `default_role` may grant the role `owner`. */
    allow_owner: z.boolean().default(false),
    default_team: z.uuid().optional(),
    default_role: role.default('member'),
    default_scopes: z.array(z.string()).optional(),
    /** Whether the service creates a user account for an unknown subject of a JWT. */
    provision: z.boolean().default(false),
    /** Whether the service links an unknown subject of a JWT to the user with the same verified email address. */
    link_by_email: z.boolean().default(false),
  })
  .superRefine(({ issuer, jwks, jwks_url, ...rights }, context) => {
    const refuse = (message: string): void =>
      context.addIssue({ code: 'custom', message: `${issuer} ${message}` });
    if ((jwks === undefined) === (jwks_url === undefined)) refuse('needs either jwks_url or jwks');
    const { any_team, teams, default_team } = rights;
    if (!any_team && default_team === undefined && Object.keys(teams).length === 0)
      refuse('reaches no team: set default_team or teams, or "any_team": true for every team');
    if (rights.default_role === 'owner' && !rights.allow_owner)
      refuse('has default_role owner, which needs "allow_owner": true');
  });
export type TokenIssuer = z.infer<typeof tokenIssuer>;

export const TOKEN_ISSUER_FIELDS = Object.keys(tokenIssuer.shape) as readonly (keyof TokenIssuer)[];

export const tokenIssuers = z.array(tokenIssuer).superRefine((issuers, context) => {
  const names = issuers.map(({ issuer }) => issuer);
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index)))
    context.addIssue({ code: 'custom', message: `lists ${name} more than once` });
});
