import { Controller, createParamDecorator, type ExecutionContext, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/index.js';
import { ApiAnswers } from '../http/index.js';
import type { CountedRequest } from './rate-limit.guard.js';
import type { RateLimitState } from './rate-limiter.js';
import { rateLimitsView, RateLimitsView } from './rate-limits.view.js';

/** Parameter decorator that returns the rate-limit state which `RateLimitGuard` computed for the request. */
const CurrentRateLimit = createParamDecorator((_: unknown, context: ExecutionContext): RateLimitState => {
  const { rateLimit } = context.switchToHttp().getRequest<CountedRequest>();
  if (rateLimit === undefined)
    throw new Error('CurrentRateLimit cannot be used on a route without a rate limit.');
  return rateLimit;
});

@ApiTags('rate limits')
@Controller('v1/rate-limits')
export class RateLimitsController {
  /**
   * Returns your rate-limit plan and the number of remaining requests. This request is counted, too, so the response
   * shows the state after it.
   */
  @Get()
  @Authenticated()
  @ApiOperation({ summary: 'Read your rate limit' })
  @ApiAnswers({ 200: { description: 'The current plan and the remaining requests.', type: RateLimitsView } })
  read(@CurrentRateLimit() state: RateLimitState): RateLimitsView {
    return rateLimitsView(state);
  }
}
