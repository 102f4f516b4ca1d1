import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsISO8601, IsOptional } from 'class-validator';
import { OptionalInteger } from '../fields/index.js';

/** Longest move of the clock in seconds: ten years. */
const MAX_SECONDS = 315_360_000;

/** Body of a request that moves the clock. Exactly one of the two fields is required. */
export class MoveTestClockBody {
  @OptionalInteger({
    minimum: 0,
    maximum: MAX_SECONDS,
    example: 2_592_000,
    description: 'Number of seconds by which the clock advances, at most ten years.',
  })
  advance_seconds?: number;

  /** Time to which the clock moves. The time must not be in the past, because the clock never goes back. */
  @ApiPropertyOptional({ type: 'string', format: 'date-time' })
  @IsOptional()
  @IsISO8601({ strict: true })
  set?: string;
}

/** Response with the time of the service. */
export class TestClockView {
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-12-21T11:15:30.123Z' })
  now: string;

  /** Number of milliseconds by which the service's time is ahead of real time. */
  @ApiProperty({ type: 'integer', example: 2_592_000_000 })
  offset_ms: number;
}

/** Response with the time of the service after a move of the clock, and with the result of the move. */
export class MovedTestClockView extends TestClockView {
  /**
   * Whether the clock reached `target`. False if the move ended early, after 25 seconds of real time. To continue the
   * move, send the value of `target` as `set`.
   */
  @ApiProperty({ type: 'boolean', example: true })
  reached: boolean;

  /** Time to which the request moves the clock. */
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-12-21T11:15:30.120Z' })
  target: string;

  /** Number of points in time, up to `target`, at which work was due. */
  @ApiProperty({ type: 'integer', example: 31 })
  instants: number;

  /** Whether all due work has ended. False if a node still runs, such as a slow HTTP request. */
  @ApiProperty({ type: 'boolean', example: true })
  settled: boolean;
}
