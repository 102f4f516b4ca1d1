import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Equals, IsOptional, Matches, MaxLength } from 'class-validator';
import { type Scope, SCOPES } from '../access/index.js';
import { Choice, Text } from '../fields/index.js';

/** Maximum length of a JWT, in characters. JWTs of real identity providers have a few kilobytes. */
const MAX_JWT_LENGTH = 16_384;
const MAX_SCOPE_LENGTH = 1_024;
const JWT_EXAMPLE =
  'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUuY29tIn0.c2lnbmF0dXJl';

export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const JWT_TYPE = 'urn:ietf:params:oauth:token-type:jwt';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
/** Token types with which clients of RFC 8693 mark a JWT of an identity provider. */
const SUBJECT_TOKEN_TYPES = [
  JWT_TYPE,
  'urn:ietf:params:oauth:token-type:id_token',
  ACCESS_TOKEN_TYPE,
] as const;

export class ExchangeTokenBody {
  /** A JWT of a configured issuer. Each JWT can be exchanged once. */
  @Text({ minLength: 1, maxLength: MAX_JWT_LENGTH, example: JWT_EXAMPLE })
  jwt: string;
}

/** The token exchange request of RFC 8693, sent as a form. */
export class ExchangeTokenForm {
  @ApiProperty({ type: 'string', enum: [TOKEN_EXCHANGE_GRANT] })
  @Equals(TOKEN_EXCHANGE_GRANT)
  grant_type: string;

  @Text({ minLength: 1, maxLength: MAX_JWT_LENGTH, example: JWT_EXAMPLE })
  subject_token: string;

  @Choice({ enum: SUBJECT_TOKEN_TYPES, example: JWT_TYPE })
  subject_token_type: string;

  @ApiPropertyOptional({ type: 'string', enum: [ACCESS_TOKEN_TYPE] })
  @IsOptional()
  @Equals(ACCESS_TOKEN_TYPE)
  requested_token_type?: string;

  /** The scopes of the API key to create, separated by spaces. Default: all scopes that the JWT grants. */
  @ApiPropertyOptional({
    type: 'string',
    maxLength: MAX_SCOPE_LENGTH,
    example: 'workflows:read executions:read',
  })
  @IsOptional()
  @MaxLength(MAX_SCOPE_LENGTH)
  @Matches(/^[a-z:]+(?: [a-z:]+)*$/, { message: 'scope must be a list of scopes, separated by spaces' })
  scope?: string;
}

export class ExchangedTokenView {
  /** The API key, to be sent as `Authorization: Bearer <token>`. */
  @ApiProperty({ type: 'string', example: 'wfk_7Qm2…' })
  token: string;

  @ApiProperty({ enum: ['Bearer'] })
  token_type: 'Bearer';

  @ApiProperty({ type: 'string', format: 'date-time' })
  expires_at: string;

  /** The scopes of the API key: those that both the JWT and the role of the user grant. */
  @ApiProperty({ enum: SCOPES, isArray: true, example: ['workflows:read', 'executions:read'] })
  scopes: readonly Scope[];

  /** Equal to `token`, under the name of RFC 8693. Present only in responses to forms. */
  @ApiPropertyOptional({ type: 'string', example: 'wfk_7Qm2…' })
  access_token?: string;

  /** Type of the token, as RFC 8693 requires. Present only in responses to forms. */
  @ApiPropertyOptional({ type: 'string', enum: [ACCESS_TOKEN_TYPE] })
  issued_token_type?: string;

  /** Seconds until the token expires. Present only in responses to forms. */
  @ApiPropertyOptional({ type: 'integer', example: 3600 })
  expires_in?: number;

  /** The scopes of the token, separated by spaces. Present only in responses to forms. */
  @ApiPropertyOptional({ type: 'string', example: 'workflows:read executions:read' })
  scope?: string;
}
