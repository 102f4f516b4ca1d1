import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope, requireScope, type Role } from '../access/index.js';
import { Idempotent } from '../idempotency/index.js';
import { ApiAnswers, ApiPage, IdParam, LOCATION_HEADER } from '../http/index.js';
import { idPlace, type Page, page, PageQuery } from '../pages/index.js';
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

  /**
   * Creates a team with one project. You become the owner. Your key acts only in its own team, so create another key
   * for the new team in the dashboard.
   */
  @Post()
  @RequireScope('teams:write')
  @Idempotent<TeamsController>({
    render: async (controller, { principal, response, resource }) => {
      const { team, role } = await controller.teams.readOwn(principal, resource.id);
      return controller.created(team, role, response);
    },
  })
  @ApiOperation({ summary: 'Create a team' })
  @ApiAnswers({ 201: { description: 'The team.', type: TeamView, headers: LOCATION_HEADER } })
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() { name }: TeamBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TeamView> {
    return this.created(await this.teams.create(principal, name), 'owner', response);
  }

  /** Lists your teams. */
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
  @ApiAnswers({ 200: { description: 'The changed team.', type: TeamView } }, 409)
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

  /**
   * Deletes a team that you own. The team's keys and sign-ins end, and its data becomes inaccessible. Unfinished
   * executions prevent the deletion unless `cancel=true`.
   */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('teams:write')
  @ApiOperation({ summary: 'Delete a team' })
  @ApiAnswers({ 204: { description: 'The team is deleted.' } }, 409)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() { cancel }: DeleteTeamQuery,
  ): Promise<void> {
    if (cancel === 'true') requireScope(principal, 'executions:write');
    await this.teams.delete(principal, id, cancel === 'true');
  }

  private created(team: Team, role: Role, response: Response): TeamView {
    response.set('Location', `/v1/teams/${team.id}`);
    return teamView(team, role);
  }
}
