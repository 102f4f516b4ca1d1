import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { atLeast, CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ValidationError } from '../errors/index.js';
import { ApiAnswers } from '../http/index.js';
import { instantOf, isoTime, systemClock } from '../platform/index.js';
import { TestClock } from './test-clock.js';
import { MovedTestClockView, MoveTestClockBody, TestClockView } from './test-clock.dto.js';
import { TestClockAdminRequiredError } from './test-clock.errors.js';

/** Routes that read and move the test clock. The routes exist only with `TEST_CLOCK=true` or `NODE_ENV=test`. */
@ApiTags('test clock')
@Controller('v1/test-clock')
export class TestClockController {
  constructor(private readonly clock: TestClock) {}

  /**
   * Returns the time of the service. Requires the role admin or owner. The route exists only with `TEST_CLOCK=true` or
   * `NODE_ENV=test`.
   */
  @Get()
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'Read the test clock', operationId: 'readTestClock' })
  @ApiAnswers({ 200: { description: 'The time.', type: TestClockView } })
  async read(@CurrentPrincipal() principal: Principal): Promise<TestClockView> {
    requireAdmin(principal);
    return clockView(await this.clock.now());
  }

  /**
   * Advances the clock of the service from one due time to the next, so that timers, retries, schedules, reminders,
   * timeouts and deadlines fire in order. The response is sent after all of them have fired. Requires the role admin or
   * owner. The route exists only with `TEST_CLOCK=true` or `NODE_ENV=test`.
   */
  @Post()
  @HttpCode(200)
  @RequireScope('teams:write')
  @ApiOperation({ summary: 'Advance the test clock', operationId: 'moveTestClock' })
  @ApiAnswers({
    200: { description: 'The time of the service after the clock was advanced.', type: MovedTestClockView },
  })
  async move(
    @CurrentPrincipal() principal: Principal,
    @Body() body: MoveTestClockBody,
  ): Promise<MovedTestClockView> {
    requireAdmin(principal);
    const { now, target, instants, isSettled } = await this.clock.move(targetOf(body));
    return Object.assign(clockView(now), {
      reached: now >= target,
      target: isoTime(target),
      instants,
      settled: isSettled,
    });
  }
}

/** @throws TestClockAdminRequiredError */
function requireAdmin({ role, projectId }: Principal): void {
  if (!atLeast(role, 'admin') || projectId !== null) throw new TestClockAdminRequiredError();
}

/** @throws ValidationError unless the body contains exactly one target that is not in the past */
function targetOf({ advance_seconds: seconds, set }: MoveTestClockBody): (now: number) => number {
  if ((seconds === undefined) === (set === undefined))
    throw ValidationError.of(
      'advance_seconds',
      'exactly_one',
      'is required unless set is given: use exactly one of them',
    );
  if (set === undefined) return (now) => now + (seconds ?? 0) * 1_000;
  const at = instantOf(set);
  if (at === undefined)
    throw ValidationError.of(
      'set',
      'no_instant',
      'must be a time with a time zone, such as 2030-01-01T00:00:00Z',
    );
  return (now) => {
    if (at < now)
      throw ValidationError.of(
        'set',
        'in_the_past',
        'must not be in the past, because the clock never goes back',
      );
    return at;
  };
}

function clockView(now: number): TestClockView {
  return { now: isoTime(now), offset_ms: now - systemClock.real() };
}
