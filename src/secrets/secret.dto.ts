import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsByteLength,
  IsIn,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  MaxLength,
} from 'class-validator';
import { PageQuery } from '../pages/index.js';
import { MAX_VALUE_BYTES, SECRET_NAME } from './secret.js';

const MAX_DESCRIPTION = 2_000;
const MAX_SEARCH = 255;
const NAME_RULE = 'must be A-Z, 0-9 and _, start with a letter, and have at most 64 characters';
const VALUE_RULE = 'must be a string of 1 byte to 64 KiB in UTF-8';

/** What a client may change of a secret. */
export class ChangeSecretBody {
  /** 1 byte to 64 KiB in UTF-8. Never returned. A new value raises `version` and counts from the next attempt on. */
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: MAX_VALUE_BYTES, example: 's3cr3t-value' })
  @IsOptional()
  @IsString({ message: VALUE_RULE })
  @IsByteLength(1, MAX_VALUE_BYTES, { message: VALUE_RULE })
  value?: string;

  @ApiPropertyOptional({ type: 'string', maxLength: MAX_DESCRIPTION, example: 'Key of the payment service.' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION)
  description?: string;
}

export class CreateSecretBody {
  /** Default: the project of the key, else the oldest project of the team. */
  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  project_id?: string;

  /** What workflows write after `secrets.`; unique in the project. It cannot be changed later. */
  @ApiProperty({ type: 'string', pattern: SECRET_NAME.source, example: 'PAYMENT_KEY' })
  @IsString()
  @Matches(SECRET_NAME, { message: NAME_RULE })
  name: string;

  /** 1 byte to 64 KiB in UTF-8. Never returned. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_VALUE_BYTES, example: 's3cr3t-value' })
  @IsString({ message: VALUE_RULE })
  @IsByteLength(1, MAX_VALUE_BYTES, { message: VALUE_RULE })
  value: string;

  @ApiPropertyOptional({
    type: 'string',
    maxLength: MAX_DESCRIPTION,
    default: '',
    example: 'Key of the payment service.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION)
  description?: string;
}

export class ListSecretsQuery extends PageQuery {
  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  project_id?: string;

  /** The secret of exactly this name. */
  @ApiPropertyOptional({ type: 'string', example: 'PAYMENT_KEY' })
  @IsOptional()
  @IsString()
  @Length(1, MAX_SEARCH)
  name?: string;

  /** Part of the name or the description, without regard to case. */
  @ApiPropertyOptional({ type: 'string', maxLength: MAX_SEARCH, example: 'payment' })
  @IsOptional()
  @IsString()
  @Length(1, MAX_SEARCH)
  q?: string;
}

export class DeleteSecretQuery {
  /** Delete it even if an active workflow, hook or webhook names it. */
  @ApiPropertyOptional({ enum: ['true', 'false'], default: 'false' })
  @IsOptional()
  @IsIn(['true', 'false'])
  force?: 'true' | 'false';
}
