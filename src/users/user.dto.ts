import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, ValidateIf } from 'class-validator';
import { MAX_ADDRESS_RANGES } from '../access/index.js';
import { OptionalChoice, OptionalNested, OptionalText, Text } from '../fields/index.js';
import { PAGE_SIZES, type PageSize } from './user.js';

export class ApiKeyRestrictionsBody {
  /**
   * IP addresses and CIDR ranges, v4 or v6, from which the person's API keys may be used. Null or an empty list for no
   * restriction.
   */
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

export class PreferencesBody {
  /** Time zone in which the dashboard shows times: an IANA time zone, or `local` for the time zone of the browser. */
  @OptionalText({ maxLength: 64, example: 'Europe/Berlin' })
  time_zone?: string;

  /** Number of rows that the dashboard shows per page of a list. */
  @OptionalChoice({ enum: PAGE_SIZES, example: 50 })
  page_size?: PageSize;
}

/** The fields of a user to change. Omitted fields keep their values. */
export class ChangeUserBody {
  @OptionalText({ minLength: 1, maxLength: 255, example: 'Ada Lovelace' })
  name?: string;

  /** Restrictions of the person's API keys; null for no restriction. */
  @OptionalNested(() => ApiKeyRestrictionsBody, { nullable: true })
  api_key_restrictions?: ApiKeyRestrictionsBody | null;

  /** How the dashboard shows times and lists to you. Omitted fields keep their values. */
  @OptionalNested(() => PreferencesBody)
  preferences?: PreferencesBody;
}

export class ChangeUserQuery {
  /** Whether to accept a list of IP addresses that excludes your own address. */
  @OptionalChoice({ enum: ['true', 'false'], default: 'false' })
  force?: 'true' | 'false';
}

export class PreviewRestrictionsQuery {
  /** The IP addresses and CIDR ranges to try, separated by commas. */
  @Text({ maxLength: 8192, example: '203.0.113.0/24,2001:db8::/32' })
  allowed_ips: string;
}
