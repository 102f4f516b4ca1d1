import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ApiAnswers, ApiPage, ETAG_HEADER, IdParam, type Page } from '../platform/index.js';
import { ListSessionsQuery, SessionAnswers, SessionsService, SessionView } from '../sessions/index.js';
import { Deprecated, DEPRECATION_HEADERS } from './deprecation.js';

/** Reads of sessions as `/v1` answers them. */
@ApiTags('v0')
@Deprecated()
@Controller('v0/sessions')
export class V0SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly answers: SessionAnswers,
  ) {}

  /** Use `GET /v1/sessions`. */
  @Get()
  @RequireScope('sessions:read')
  @ApiOperation({ summary: 'List sessions', deprecated: true })
  @ApiPage(SessionView, 'Sessions.')
  list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListSessionsQuery,
  ): Promise<Page<SessionView>> {
    return this.answers.page(principal, query);
  }

  /** Use `GET /v1/sessions/{id}`. */
  @Get(':id')
  @RequireScope('sessions:read')
  @ApiOperation({ summary: 'Read a session', deprecated: true })
  @ApiAnswers({
    200: {
      description: 'The session.',
      type: SessionView,
      headers: { ...ETAG_HEADER, ...DEPRECATION_HEADERS },
    },
  })
  async read(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionView> {
    return this.answers.one(await this.sessions.read(principal, id), response);
  }
}
