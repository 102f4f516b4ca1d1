import { ApiProperty } from '@nestjs/swagger';
import { OptionalId, OptionalInteger } from '../fields/index.js';

const EXAMPLE_ID = '0199a8c0-2222-7abc-8def-0123456789ab';
const MIN_SECONDS = 60;
const MAX_SECONDS = 86_400;
const DEFAULT_SECONDS = 3_600;

/** The resource that can be read with a view token. Exactly one of `execution_id` and `session_id` must be set. */
export class CreateViewTokenBody {
  @OptionalId({ description: 'The execution that can be read with the token.', example: EXAMPLE_ID })
  execution_id?: string;

  @OptionalId({
    description:
      'The session whose executions can be read with the token. Set either `session_id` or `execution_id`.',
  })
  session_id?: string;

  @OptionalInteger({
    minimum: MIN_SECONDS,
    maximum: MAX_SECONDS,
    default: DEFAULT_SECONDS,
    example: DEFAULT_SECONDS,
  })
  expires_in_seconds: number = DEFAULT_SECONDS;
}

/** A view token. The service does not store the token, so it cannot be retrieved again. */
export class ViewTokenView {
  @ApiProperty({ type: String, example: 'wfv_WyJleGVjdXRpb24iXQ.c2lnbmF0dXJl' })
  token: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-21T11:15:30.123Z' })
  expires_at: string;
}
