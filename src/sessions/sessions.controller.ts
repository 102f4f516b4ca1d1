import { Body, Controller, Delete, Get, HttpCode, Inject, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, requireScope, RequireScope } from '../access/index.js';
import {
  ApiAnswers,
  ApiPage,
  ETAG_HEADER,
  IdParam,
  IfMatch,
  LOCATION_HEADER,
  matched,
  TakesIfMatch,
} from '../http/index.js';
import { type Page } from '../pages/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { Idempotent } from '../idempotency/index.js';
import type { Session } from './session.js';
import {
  ChangeSessionBody,
  CreateSessionBody,
  DeleteSessionQuery,
  ListSessionsQuery,
} from './session.dto.js';
import { newSession, sessionChange } from './session.input.js';
import { SessionView } from './session.view.js';
import { SessionAnswers } from './session-answers.js';
import { type OpenedSession, SessionsService } from './sessions.service.js';

const HEADERS_OF_ONE = { ...LOCATION_HEADER, ...ETAG_HEADER };

@ApiTags('sessions')
@Controller('v1/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly answers: SessionAnswers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Opens a session. If a session with this `external_id` is already open, the response is that session, unchanged. */
  @Post()
  @RequireScope('sessions:write')
  @Idempotent<SessionsController>({
    render: async (controller, { principal, response, resource }) => {
      const session = await controller.sessions.read(principal, resource.id);
      return controller.opened({ session, isNew: true }, response);
    },
  })
  @ApiOperation({ summary: 'Open a session' })
  @ApiAnswers({
    200: {
      description: 'The existing open session that has this `external_id`. No new session was opened.',
      type: SessionView,
      headers: HEADERS_OF_ONE,
    },
    201: { description: 'The new session.', type: SessionView, headers: HEADERS_OF_ONE },
  })
  async open(
    @CurrentPrincipal() principal: Principal,
    @Body() body: CreateSessionBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionView> {
    const input = newSession(body, this.clock.now());
    return this.opened(await this.sessions.open(principal, body.project_id?.toLowerCase(), input), response);
  }

  @Get()
  @RequireScope('sessions:read')
  @ApiOperation({ summary: 'List sessions' })
  @ApiPage(SessionView, 'Sessions.')
  list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListSessionsQuery,
  ): Promise<Page<SessionView>> {
    return this.answers.page(principal, query);
  }

  @Get(':id')
  @RequireScope('sessions:read')
  @ApiOperation({ summary: 'Read a session' })
  @ApiAnswers({ 200: { description: 'The session.', type: SessionView, headers: ETAG_HEADER } })
  async read(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionView> {
    return this.answers.one(await this.sessions.read(principal, id), response);
  }

  /**
   * Changes an active session. `metadata` and `state` are merge patches (RFC 7396): a field with the value null is
   * removed.
   */
  @Patch(':id')
  @RequireScope('sessions:write')
  @ApiOperation({ summary: 'Change a session' })
  @TakesIfMatch()
  @ApiAnswers({ 200: { description: 'The changed session.', type: SessionView, headers: ETAG_HEADER } }, 409)
  async change(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() body: ChangeSessionBody,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ): Promise<SessionView> {
    const current = await this.current(principal, id, ifMatch);
    return this.answers.one(
      await this.sessions.change(current, sessionChange(current, body, this.clock.now())),
      response,
    );
  }

  /** Deletes a session. Its executions and their history remain. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('sessions:write')
  @ApiOperation({ summary: 'Delete a session' })
  @TakesIfMatch()
  @ApiAnswers({ 204: { description: 'The session is deleted.' } }, 409)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() { cancel }: DeleteSessionQuery,
    @IfMatch() ifMatch?: string,
  ): Promise<void> {
    if (cancel === 'true') requireScope(principal, 'executions:write');
    await this.sessions.delete(await this.current(principal, id, ifMatch), cancel === 'true');
  }

  /**
   * Closes a session permanently. New executions cannot start in a closed session, but running executions continue.
   * Closing a closed session has no effect.
   */
  @Post(':id/close')
  @HttpCode(200)
  @RequireScope('sessions:write')
  @ApiOperation({ summary: 'Close a session' })
  @ApiAnswers({ 200: { description: 'The closed session.', type: SessionView, headers: ETAG_HEADER } })
  async close(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionView> {
    return this.answers.one(await this.sessions.close(await this.sessions.read(principal, id)), response);
  }

  private opened({ session, isNew }: OpenedSession, response: Response): Promise<SessionView> {
    response.status(isNew ? 201 : 200).set('Location', `/v1/sessions/${session.id}`);
    return this.answers.one(session, response);
  }

  private async current(principal: Principal, id: string, ifMatch: string | undefined): Promise<Session> {
    return matched(await this.sessions.read(principal, id), ifMatch);
  }
}
