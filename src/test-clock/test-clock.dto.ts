import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsISO8601, IsOptional, Max, Min } from 'class-validator';

/** Longest move of the clock: ten years. */
const MAX_SECONDS = 315_360_000;

/** Target of the clock: exactly one of the two fields. */
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

  /** Time to which the clock moves. It must not be in the past, because the clock never goes back. */
  @ApiPropertyOptional({ type: 'string', format: 'date-time' })
  @IsOptional()
  @IsISO8601({ strict: true })
  set?: string;
}

/** The time of the service. */
export class TestClockView {
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-12-21T11:15:30.123Z' })
  now: string;

  /** Number of milliseconds by which the service's time is ahead of real time. */
  @ApiProperty({ type: 'integer', example: 2_592_000_000 })
  offset_ms: number;
}

/** The time of the service after a move of the clock, and the result of the move. */
export class MovedTestClockView extends TestClockView {
  /**
   * False if the move ended early, after 25 seconds of real time. To continue, send the value of `target` as `set`.
   */
  @ApiProperty({ type: 'boolean', example: true })
  reached: boolean;

  /** The time that the clock should reach. */
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-12-21T11:15:30.120Z' })
  target: string;

  /** Number of times on the way at which work was due. */
  @ApiProperty({ type: 'integer', example: 31 })
  instants: number;

  /** Whether all due work has ended. False if a node still runs, such as a slow HTTP request. */
  @ApiProperty({ type: 'boolean', example: true })
  settled: boolean;
}
