import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsByteLength, IsOptional, IsString, Matches } from 'class-validator';
import { OptionalChoice, OptionalId, OptionalText } from '../fields/index.js';
import { PageQuery } from '../pages/index.js';
import { MAX_VALUE_BYTES, SECRET_NAME } from './secret.js';

const MAX_DESCRIPTION = 2_000;
const MAX_SEARCH = 255;
const NAME_RULE = 'must be A-Z, 0-9 and _, start with a letter, and have at most 64 characters';
const VALUE_RULE = 'must be a string of 1 byte to 64 KiB in UTF-8';

/** Fields of a secret that a client may change. */
export class ChangeSecretBody {
  /**
   * New value of the secret: 1 byte to 64 KiB in UTF-8. Responses never contain the value. A new value increments
   * `version`. Node attempts that start later use the new value.
   */
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: MAX_VALUE_BYTES, example: 's3cr3t-value' })
  @IsOptional()
  @IsString({ message: VALUE_RULE })
  @IsByteLength(1, MAX_VALUE_BYTES, { message: VALUE_RULE })
  value?: string;

  @OptionalText({ maxLength: MAX_DESCRIPTION, example: 'Key of the payment service.' })
  description?: string;
}

export class CreateSecretBody {
  /**
   * Project of the new secret. Default: the project of the API key. If the key has no project, the default is the
   * oldest project of the team.
   */
  @OptionalId()
  project_id?: string;

  /**
   * Name of the secret, unique in the project. Workflows use the secret as `{{ secrets.NAME }}`. The name cannot be
   * changed.
   */
  @ApiProperty({ type: 'string', pattern: SECRET_NAME.source, example: 'PAYMENT_KEY' })
  @IsString()
  @Matches(SECRET_NAME, { message: NAME_RULE })
  name: string;

  /** Value of the secret: 1 byte to 64 KiB in UTF-8. Responses never contain the value. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_VALUE_BYTES, example: 's3cr3t-value' })
  @IsString({ message: VALUE_RULE })
  @IsByteLength(1, MAX_VALUE_BYTES, { message: VALUE_RULE })
  value: string;

  @OptionalText({ maxLength: MAX_DESCRIPTION, default: '', example: 'Key of the payment service.' })
  description?: string;
}

export class ListSecretsQuery extends PageQuery {
  @OptionalId()
  project_id?: string;

  /** Returns only the secret with exactly this name. */
  @OptionalText({ minLength: 1, maxLength: MAX_SEARCH, example: 'PAYMENT_KEY' })
  name?: string;

  /**
   * Search text, ignoring case: a part of the name or the description, or the beginning of the id or of its last eight
   * characters.
   */
  @OptionalText({ minLength: 1, maxLength: MAX_SEARCH, example: 'payment' })
  q?: string;
}

export class DeleteSecretQuery {
  /** Whether to delete the secret even if an active workflow, hook or webhook uses it. */
  @OptionalChoice({ enum: ['true', 'false'], default: 'false' })
  force?: 'true' | 'false';
}
