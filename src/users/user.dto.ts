import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { MAX_ADDRESS_RANGES } from '../access/index.js';

export class ApiKeyRestrictionsBody {
  /** IP addresses and CIDR ranges, v4 or v6; null or an empty list for no restriction. */
  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    maxItems: MAX_ADDRESS_RANGES,
    nullable: true,
    example: ['203.0.113.0/24', '2001:db8::/32'],
  })
  @ValidateIf((_, value) => value !== null)
  @IsArray()
  @ArrayMaxSize(MAX_ADDRESS_RANGES)
  @IsString({ each: true })
  allowed_ips: string[] | null;
}

/** The changeable fields of a person; omitted fields keep their values. */
export class ChangeUserBody {
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: 255, example: 'Ada Lovelace' })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  name?: string;

  /** Applies to every API key of the person; null for no restriction. */
  @ApiPropertyOptional({ type: () => ApiKeyRestrictionsBody, nullable: true })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => ApiKeyRestrictionsBody)
  api_key_restrictions?: ApiKeyRestrictionsBody | null;
}

export class ChangeUserQuery {
  /** Accept a list that excludes your own address. */
  @ApiPropertyOptional({ enum: ['true', 'false'], default: 'false' })
  @IsOptional()
  @IsIn(['true', 'false'])
  force?: 'true' | 'false';
}

export class PreviewRestrictionsQuery {
  /** The list to try, separated by commas. */
  @ApiProperty({ type: 'string', maxLength: 8192, example: '203.0.113.0/24,2001:db8::/32' })
  @IsString()
  @MaxLength(8192)
  allowed_ips: string;
}
