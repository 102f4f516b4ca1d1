import { ApiProperty } from '@nestjs/swagger';
import type { Secret } from './secret.js';

const ID_EXAMPLE = '0199a8c0-6666-7abc-8def-0123456789ab';

/** A secret as the REST API returns the secret, without its value. */
export class SecretView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  project_id: string;

  @ApiProperty({ type: 'string', example: 'PAYMENT_KEY' })
  name: string;

  @ApiProperty({ type: 'string', example: 'Key of the payment service.' })
  description: string;

  /** Version of the secret's value, from 1. Each new value increments the version. */
  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;

  /**
   * Time at which an attempt, a hook or a webhook last read the value, accurate to about a minute. Null before the
   * first read.
   */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  last_used_at: string | null;
}

export function secretView(secret: Secret): SecretView {
  return {
    id: secret.id,
    project_id: secret.projectId,
    name: secret.name,
    description: secret.description,
    version: secret.version,
    created_at: secret.createdAt,
    updated_at: secret.updatedAt,
    last_used_at: secret.lastUsedAt,
  };
}
