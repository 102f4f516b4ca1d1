import { Controller, createParamDecorator, type ExecutionContext, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/index.js';
import { ApiAnswers } from '../http/index.js';
import type { CountedRequest } from './rate-limit.guard.js';
import type { RateLimitState } from './rate-limiter.js';
import { rateLimitsView, RateLimitsView } from './rate-limits.view.js';

/** The result of `RateLimitGuard` for this request. */
const CurrentRateLimit = createParamDecorator((_: unknown, context: ExecutionContext): RateLimitState => {
  const { rateLimit } = context.switchToHttp().getRequest<CountedRequest>();
  if (rateLimit === undefined) throw new Error('CurrentRateLimit is used on a route that is not counted.');
  return rateLimit;
});

@ApiTags('rate limits')
@Controller('v1/rate-limits')
export class RateLimitsController {
  /** The caller's plan and remaining requests. This request counts; the response shows the state after it. */
  @Get()
  @Authenticated()
  @ApiOperation({ summary: 'Read your rate limit' })
  @ApiAnswers({ 200: { description: 'The plan in force and what is left.', type: RateLimitsView } })
  read(@CurrentRateLimit() state: RateLimitState): RateLimitsView {
    return rateLimitsView(state);
  }
}
