import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope, requireScope } from '../access/index.js';
import { type Answer, Idempotent } from '../idempotency/index.js';
import {
  ApiAnswers,
  ApiPage,
  IdParam,
  idPlace,
  LOCATION_HEADER,
  type Page,
  page,
  PageQuery,
} from '../http/index.js';
import { TeamAdministration } from './team-administration.service.js';
import { ChangeTeamBody, DeleteTeamQuery, TeamBody } from './team.dto.js';
import type { Team } from './team.js';
import { TeamPlans } from './team-plans.js';
import { TeamView, teamView } from './team.view.js';

@ApiTags('teams')
@Controller('v1/teams')
export class TeamsController {
  constructor(
    private readonly teams: TeamAdministration,
    private readonly plans: TeamPlans,
  ) {}

  /** Makes a team with one project; you own it. Keys act in their own team only: make one there, in the dashboard. */
  @Post()
  @RequireScope('teams:write')
  @Idempotent()
  @ApiOperation({ summary: 'Create a team' })
  @ApiAnswers({ 201: { description: 'The team.', type: TeamView, headers: LOCATION_HEADER } })
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() { name }: TeamBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TeamView> {
    const team = await this.teams.create(principal, name, created);
    response.set({ ...created(team).headers });
    return teamView(team, 'owner');
  }

  /** The teams that you are in. */
  @Get()
  @RequireScope('teams:read')
  @ApiOperation({ summary: 'List your teams' })
  @ApiPage(TeamView, 'Teams.')
  async list(@CurrentPrincipal() principal: Principal, @Query() query: PageQuery): Promise<Page<TeamView>> {
    const { limit, offset, order, after } = idPlace(query);
    const all = await this.teams.list(principal);
    const ordered = order === 'asc' ? all : all.toReversed();
    const following =
      after === undefined
        ? ordered.slice(offset)
        : ordered.filter(({ team }) => (order === 'asc' ? team.id > after : team.id < after));
    return page(query, {
      rows: following.slice(0, limit),
      total: all.length,
      cursorOf: ({ team }) => [team.id],
      toItem: ({ team, role }) => teamView(team, role),
    });
  }

  @Get(':id')
  @RequireScope('teams:read')
  @ApiOperation({ summary: 'Read a team' })
  @ApiAnswers({ 200: { description: 'The team.', type: TeamView } })
  async read(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<TeamView> {
    return teamView(await this.teams.read(principal, id), principal.role);
  }

  @Patch(':id')
  @RequireScope('teams:write')
  @ApiOperation({ summary: 'Change a team', operationId: 'renameTeam' })
  @ApiAnswers({ 200: { description: 'The team as it is now.', type: TeamView } }, 409)
  async change(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { name, plan }: ChangeTeamBody,
  ): Promise<TeamView> {
    let team: Team | undefined;
    if (plan !== undefined) team = await this.plans.change(principal, id, plan);
    if (name !== undefined || team === undefined) team = await this.teams.rename(principal, id, name);
    return teamView(team, principal.role);
  }

  /** Deletes a team that you own: every key and sign-in to it ends, its data is out of reach, what runs is cancelled. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('teams:write')
  @ApiOperation({ summary: 'Delete a team' })
  @ApiAnswers({ 204: { description: 'It is deleted.' } }, 409)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() { cancel }: DeleteTeamQuery,
  ): Promise<void> {
    if (cancel === 'true') requireScope(principal, 'executions:write');
    await this.teams.delete(principal, id, cancel === 'true');
  }
}

function created(team: Team): Answer {
  return { status: 201, headers: { Location: `/v1/teams/${team.id}` }, body: teamView(team, 'owner') };
}
