import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import type { Json } from '../../expressions/index.js';
import { OptionalText } from '../../fields/index.js';
import { BodyMayBeAbsent } from '../../http/index.js';

@BodyMayBeAbsent()
export class PauseExecutionBody {
  @OptionalText({ maxLength: 1000, example: 'The warehouse is closed.' })
  reason?: string;
}

@BodyMayBeAbsent()
export class SendSignalBody {
  @ApiPropertyOptional({
    description:
      'Payload of the signal: any JSON, at most 256 KiB. The payload becomes the output of the node that waits for the signal.',
    example: { paid: true },
  })
  @Allow()
  payload?: Json;
}

/** A signal that is stored for an execution. */
export class SignalView {
  @ApiProperty({ type: 'string', format: 'uuid', example: '0199a8c0-3333-7abc-8def-0123456789ab' })
  id: string;

  @ApiProperty({ type: 'string', example: 'payment_received' })
  name: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: '0199a8c0-2222-7abc-8def-0123456789ab' })
  execution_id: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}
