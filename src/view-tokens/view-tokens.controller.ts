import { Body, Controller, Header, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ApiAnswers } from '../http/index.js';
import { defined, isoTime } from '../platform/index.js';
import { CreateViewTokenBody, ViewTokenView } from './view-tokens.dto.js';
import { ViewTokensService } from './view-tokens.service.js';

@ApiTags('auth')
@Controller('v1/auth/view-tokens')
export class ViewTokensController {
  constructor(private readonly tokens: ViewTokensService) {}

  /**
   * Issues a view token for browsers. With the token, a browser can read one execution, or the executions of one
   * session, and their events. The token expires at its set time, or earlier when the key, user or membership that
   * issued the token ends.
   */
  @Post()
  @RequireScope('events:read')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Issue a view token' })
  @ApiAnswers({ 201: { description: 'The token, which is shown only once.', type: ViewTokenView } }, 404)
  async issue(
    @CurrentPrincipal() principal: Principal,
    @Body() body: CreateViewTokenBody,
  ): Promise<ViewTokenView> {
    const request = defined({
      executionId: body.execution_id?.toLowerCase(),
      sessionId: body.session_id?.toLowerCase(),
      expiresInSeconds: body.expires_in_seconds,
    });
    const { token, expiresAt } = await this.tokens.issue(principal, request);
    return { token, expires_at: isoTime(expiresAt) };
  }
}
