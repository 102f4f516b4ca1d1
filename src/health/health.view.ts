import { ApiProperty } from '@nestjs/swagger';
import type { Checks } from './checks.js';

const UP_OR_DOWN = ['up', 'down'];

export class LiveView {
  @ApiProperty({ enum: ['ok'], example: 'ok' })
  status: 'ok';
}

class ChecksView {
  @ApiProperty({ enum: UP_OR_DOWN, example: 'up' })
  database: 'up' | 'down';

  @ApiProperty({ enum: UP_OR_DOWN, example: 'up' })
  queue: 'up' | 'down';

  /** State of Redis; absent if the service runs without Redis. */
  @ApiProperty({ enum: UP_OR_DOWN, example: 'up', required: false })
  redis?: 'up' | 'down';
}

export class ReadyView {
  @ApiProperty({ enum: ['ok'], example: 'ok' })
  status: 'ok';

  @ApiProperty({ type: () => ChecksView })
  checks: Checks;
}
