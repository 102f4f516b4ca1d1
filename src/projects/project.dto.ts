import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { MAX_PROJECT_NAME_LENGTH } from './project.js';

const MAX_DESCRIPTION_LENGTH = 10_000;

export class CreateProjectBody {
  /** Name of the project. Names need not be unique. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_PROJECT_NAME_LENGTH, example: 'Billing' })
  @IsString()
  @Length(1, MAX_PROJECT_NAME_LENGTH)
  name: string;

  @ApiPropertyOptional({ type: 'string', maxLength: MAX_DESCRIPTION_LENGTH, nullable: true, example: null })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION_LENGTH)
  description?: string | null;
}

/** The changeable fields of a project; omitted fields keep their values. */
export class ChangeProjectBody {
  @ApiPropertyOptional({
    type: 'string',
    minLength: 1,
    maxLength: MAX_PROJECT_NAME_LENGTH,
    example: 'Billing',
  })
  @IsOptional()
  @IsString()
  @Length(1, MAX_PROJECT_NAME_LENGTH)
  name?: string;

  @ApiPropertyOptional({
    type: 'string',
    maxLength: MAX_DESCRIPTION_LENGTH,
    nullable: true,
    example: 'Invoices',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION_LENGTH)
  description?: string | null;
}

export class DeleteProjectQuery {
  /**
   * With `true`, unfinished executions are cancelled instead of preventing the deletion. Requires `executions:write`.
   */
  @ApiPropertyOptional({ enum: ['true', 'false'], default: 'false' })
  @IsOptional()
  @IsIn(['true', 'false'])
  cancel?: 'true' | 'false';
}
