import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Equals, IsIn, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';
import { type Scope, SCOPES } from '../access/index.js';

/** Maximum length of a JWT. JWTs of real providers have a few kilobytes. */
const MAX_JWT_LENGTH = 16_384;
const MAX_SCOPE_LENGTH = 1_024;
const JWT_EXAMPLE =
  'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUuY29tIn0.c2lnbmF0dXJl';

export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const JWT_TYPE = 'urn:ietf:params:oauth:token-type:jwt';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
/** Token types that clients of RFC 8693 send for identity providers' JWTs. */
const SUBJECT_TOKEN_TYPES = [
  JWT_TYPE,
  'urn:ietf:params:oauth:token-type:id_token',
  ACCESS_TOKEN_TYPE,
] as const;

export class ExchangeTokenBody {
  /** A JWT of a configured issuer. It can be exchanged once. */
  @ApiProperty({ type: 'string', maxLength: MAX_JWT_LENGTH, example: JWT_EXAMPLE })
  @IsString()
  @Length(1, MAX_JWT_LENGTH)
  jwt: string;
}

/** The request of RFC 8693, sent as a form. */
export class ExchangeTokenForm {
  @ApiProperty({ type: 'string', enum: [TOKEN_EXCHANGE_GRANT] })
  @Equals(TOKEN_EXCHANGE_GRANT)
  grant_type: string;

  @ApiProperty({ type: 'string', maxLength: MAX_JWT_LENGTH, example: JWT_EXAMPLE })
  @IsString()
  @Length(1, MAX_JWT_LENGTH)
  subject_token: string;

  @ApiProperty({ type: 'string', enum: SUBJECT_TOKEN_TYPES, example: JWT_TYPE })
  @IsIn(SUBJECT_TOKEN_TYPES)
  subject_token_type: string;

  @ApiPropertyOptional({ type: 'string', enum: [ACCESS_TOKEN_TYPE] })
  @IsOptional()
  @Equals(ACCESS_TOKEN_TYPE)
  requested_token_type?: string;

  /** The requested scopes, separated by spaces, if the token should have fewer scopes than the JWT grants. */
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
  /** An API key: send it as `Authorization: Bearer <token>`. */
  @ApiProperty({ type: 'string', example: 'wfk_7Qm2…' })
  token: string;

  @ApiProperty({ enum: ['Bearer'] })
  token_type: 'Bearer';

  @ApiProperty({ type: 'string', format: 'date-time' })
  expires_at: string;

  /** The scopes that both the JWT and the role of the user grant. */
  @ApiProperty({ enum: SCOPES, isArray: true, example: ['workflows:read', 'executions:read'] })
  scopes: readonly Scope[];

  /** The token under the name of RFC 8693. Present in responses to forms. */
  @ApiPropertyOptional({ type: 'string', example: 'wfk_7Qm2…' })
  access_token?: string;

  /** Type of the token. Present in responses to forms. */
  @ApiPropertyOptional({ type: 'string', enum: [ACCESS_TOKEN_TYPE] })
  issued_token_type?: string;

  /** Seconds until the token expires. Present in responses to forms. */
  @ApiPropertyOptional({ type: 'integer', example: 3600 })
  expires_in?: number;

  /** The scopes, separated by spaces. Present in responses to forms. */
  @ApiPropertyOptional({ type: 'string', example: 'workflows:read executions:read' })
  scope?: string;
}
