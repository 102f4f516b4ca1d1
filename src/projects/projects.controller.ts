import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope, requireScope } from '../access/index.js';
import { Idempotent } from '../idempotency/index.js';
import { ApiAnswers, ApiPage, IdParam, LOCATION_HEADER } from '../http/index.js';
import { idPlace, type Page, page, PageQuery } from '../pages/index.js';
import { defined } from '../platform/index.js';
import { ProjectAdministration } from './project-administration.service.js';
import { ChangeProjectBody, CreateProjectBody, DeleteProjectQuery } from './project.dto.js';
import type { Project } from './project.js';
import { ProjectView, projectView } from './project.view.js';

@ApiTags('projects')
@Controller('v1/projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectAdministration) {}

  @Post()
  @RequireScope('projects:write')
  @Idempotent<ProjectsController>({
    render: async (controller, { principal, response, resource }) =>
      controller.created(await controller.projects.read(principal, resource.id), response),
  })
  @ApiOperation({ summary: 'Create a project' })
  @ApiAnswers({ 201: { description: 'The project.', type: ProjectView, headers: LOCATION_HEADER } })
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() { name, description }: CreateProjectBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProjectView> {
    const project = await this.projects.create(principal, { name, description: description ?? null });
    return this.created(project, response);
  }

  /** Lists the projects of your team. If your key is bound to a project, the list contains only that project. */
  @Get()
  @RequireScope('projects:read')
  @ApiOperation({ summary: 'List projects' })
  @ApiPage(ProjectView, 'Projects.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: PageQuery,
  ): Promise<Page<ProjectView>> {
    const { items, total } = await this.projects.list(principal, idPlace(query));
    return page(query, { rows: items, total, cursorOf: ({ id }) => [id], toItem: projectView });
  }

  @Get(':id')
  @RequireScope('projects:read')
  @ApiOperation({ summary: 'Read a project' })
  @ApiAnswers({ 200: { description: 'The project.', type: ProjectView } })
  async read(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<ProjectView> {
    return projectView(await this.projects.read(principal, id));
  }

  @Patch(':id')
  @RequireScope('projects:write')
  @ApiOperation({ summary: 'Change a project' })
  @ApiAnswers({ 200: { description: 'The changed project.', type: ProjectView } }, 409)
  async change(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { name, description }: ChangeProjectBody,
  ): Promise<ProjectView> {
    const project = await this.projects.change(principal, id, defined({ name, description }));
    return projectView(project);
  }

  /**
   * Deletes a project. Its contents become inaccessible, and API keys bound to the project are refused with 401. The
   * history of the project is kept. With unfinished executions, the deletion is refused unless `cancel=true`. The last
   * project of a team cannot be deleted.
   */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('projects:write')
  @ApiOperation({ summary: 'Delete a project' })
  @ApiAnswers({ 204: { description: 'The project is deleted.' } }, 409)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() { cancel }: DeleteProjectQuery,
  ): Promise<void> {
    if (cancel === 'true') requireScope(principal, 'executions:write');
    await this.projects.delete(principal, id, cancel === 'true');
  }

  private created(project: Project, response: Response): ProjectView {
    response.set('Location', `/v1/projects/${project.id}`);
    return projectView(project);
  }
}
