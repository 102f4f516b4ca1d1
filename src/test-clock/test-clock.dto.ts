import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsISO8601, IsOptional, Max, Min } from 'class-validator';

/** Ten years. */
const MAX_SECONDS = 315_360_000;

/** Where to move the clock: exactly one of the two. */
export class MoveTestClockBody {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_SECONDS,
    example: 2_592_000,
    description: 'Seconds from now.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_SECONDS)
  advance_seconds?: number;

  /** An instant that is not before now: the clock never goes back. */
  @ApiPropertyOptional({ type: 'string', format: 'date-time' })
  @IsOptional()
  @IsISO8601({ strict: true })
  set?: string;
}

/** The time of the service. */
export class TestClockView {
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-12-21T11:15:30.123Z' })
  now: string;

  /** Milliseconds by which the service is ahead of real time. */
  @ApiProperty({ type: 'integer', example: 2_592_000_000 })
  offset_ms: number;
}

/** How far the clock was moved. */
export class MovedTestClockView extends TestClockView {
  /** False if the move ended early, after 25 seconds of real time: send `set` with `target` to move on. */
  @ApiProperty({ type: 'boolean', example: true })
  reached: boolean;

  /** The time to reach. */
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-12-21T11:15:30.120Z' })
  target: string;

  /** Instants on the way at which something was due. */
  @ApiProperty({ type: 'integer', example: 31 })
  instants: number;

  /** Whether all that was due has fired. False if a node still runs, such as a slow HTTP request. */
  @ApiProperty({ type: 'boolean', example: true })
  settled: boolean;
}
