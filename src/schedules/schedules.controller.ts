import { workflowItemsFilter } from '../workflows/index.js';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ExecutionView, locatedExecutionView } from '../executions/index.js';
import { ReachableExecutions } from '../execution-store/index.js';
import {
  ApiAnswers,
  ApiPage,
  ETAG_HEADER,
  etagOf,
  IdParam,
  IfMatch,
  LOCATION_HEADER,
  matched,
  TakesIfMatch,
} from '../http/index.js';
import { Idempotent } from '../idempotency/index.js';
import { idPlace, type Page, page, PageQuery } from '../pages/index.js';
import { defined, isoTime } from '../platform/index.js';
import { scheduleInput } from './schedule-input.js';
import {
  BackfillBody,
  ChangeScheduleBody,
  CreateScheduleBody,
  ListSchedulesQuery,
  PreviewBody,
  UpcomingQuery,
} from './schedule.dto.js';
import type { Schedule } from './schedule.js';
import {
  backfillView,
  BackfillView,
  fireView,
  FireView,
  InstantsView,
  instantsView,
  scheduleView,
  ScheduleView,
} from './schedule.view.js';
import { SchedulesService } from './schedules.service.js';

const HEADERS_OF_ONE = { ...LOCATION_HEADER, ...ETAG_HEADER };

@ApiTags('schedules')
@Controller('v1/schedules')
export class SchedulesController {
  constructor(
    private readonly schedules: SchedulesService,
    private readonly executions: ReachableExecutions,
  ) {}

  /** Creates a schedule. A schedule starts a workflow by a cron expression, at an interval, or once. */
  @Post()
  @RequireScope('schedules:write')
  @Idempotent<SchedulesController>({
    render: async (controller, { principal, response, resource }) =>
      controller.created(await controller.schedules.read(principal, resource.id), response),
  })
  @ApiOperation({ summary: 'Create a schedule' })
  @ApiAnswers({ 201: { description: 'The schedule.', type: ScheduleView, headers: HEADERS_OF_ONE } }, 404)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: CreateScheduleBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleView> {
    const workflowId = body.workflow_id.toLowerCase();
    return this.created(await this.schedules.create(principal, workflowId, scheduleInput(body)), response);
  }

  @Get()
  @RequireScope('schedules:read')
  @ApiOperation({ summary: 'List schedules' })
  @ApiPage(ScheduleView, 'Schedules.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListSchedulesQuery,
  ): Promise<Page<ScheduleView>> {
    const filter = defined({ ...workflowItemsFilter(query), status: query.status });
    const { items, total } = await this.schedules.list(principal, filter, idPlace(query));
    return page(query, { rows: items, total, cursorOf: ({ id }) => [id], toItem: scheduleView });
  }

  /** Previews the next scheduled times of a cron expression, without creating a schedule. */
  @Post('preview')
  @HttpCode(200)
  @RequireScope('schedules:read')
  @ApiOperation({ summary: 'Preview a cron expression' })
  @ApiAnswers({ 200: { description: 'The next scheduled times.', type: InstantsView } })
  preview(@Body() { cron, time_zone, count }: PreviewBody): InstantsView {
    return instantsView(this.schedules.preview(cron, time_zone, count));
  }

  @Get(':id')
  @RequireScope('schedules:read')
  @ApiOperation({ summary: 'Read a schedule' })
  @ApiAnswers({ 200: { description: 'The schedule.', type: ScheduleView, headers: ETAG_HEADER } })
  async read(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleView> {
    return tagged(await this.schedules.read(principal, id), response);
  }

  /** Changes a schedule; omitted fields keep their values. A new timing applies immediately. */
  @Patch(':id')
  @RequireScope('schedules:write')
  @ApiOperation({ summary: 'Change a schedule' })
  @TakesIfMatch()
  @ApiAnswers(
    { 200: { description: 'The changed schedule.', type: ScheduleView, headers: ETAG_HEADER } },
    409,
  )
  async change(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() body: ChangeScheduleBody,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ): Promise<ScheduleView> {
    const current = await this.current(principal, id, ifMatch);
    return tagged(await this.schedules.change(principal, current, scheduleInput(body)), response);
  }

  /** Deletes a schedule and the outcomes of its scheduled times. Executions that the schedule started continue. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('schedules:write')
  @ApiOperation({ summary: 'Delete a schedule' })
  @TakesIfMatch()
  @ApiAnswers({ 204: { description: 'The schedule is deleted.' } }, 409)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @IfMatch() ifMatch?: string,
  ): Promise<void> {
    await this.schedules.delete(principal, await this.current(principal, id, ifMatch));
  }

  /** Pauses a schedule until you resume it. Pausing a paused schedule changes nothing. */
  @Post(':id/pause')
  @HttpCode(200)
  @RequireScope('schedules:write')
  @ApiOperation({ summary: 'Pause a schedule' })
  @ApiAnswers({ 200: { description: 'The paused schedule.', type: ScheduleView, headers: ETAG_HEADER } }, 409)
  async pause(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleView> {
    const schedule = await this.schedules.read(principal, id);
    return tagged(await this.schedules.pause(principal, schedule), response);
  }

  /** Resumes a schedule. Scheduled times during the pause do not fire. Resuming an active schedule changes nothing. */
  @Post(':id/resume')
  @HttpCode(200)
  @RequireScope('schedules:write')
  @ApiOperation({ summary: 'Resume a schedule' })
  @ApiAnswers(
    { 200: { description: 'The resumed schedule.', type: ScheduleView, headers: ETAG_HEADER } },
    409,
  )
  async resume(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleView> {
    const schedule = await this.schedules.read(principal, id);
    return tagged(await this.schedules.resume(principal, schedule), response);
  }

  /** Starts an execution now, independently of the schedule's timing, even while the schedule is paused. */
  @Post(':id/trigger')
  @RequireScope('schedules:write')
  @Idempotent<SchedulesController>({
    render: async (controller, { principal, response, resource }) =>
      locatedExecutionView(await controller.executions.read(principal, resource.id), response),
  })
  @ApiOperation({ summary: 'Trigger a schedule now' })
  @ApiAnswers({ 201: { description: 'The execution.', type: ExecutionView, headers: LOCATION_HEADER } }, 409)
  async trigger(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExecutionView> {
    const schedule = await this.schedules.read(principal, id);
    return locatedExecutionView(await this.schedules.trigger(principal, schedule), response);
  }

  /**
   * Creates a backfill, which starts an execution for each past scheduled time in a time range. The backfill runs in
   * the background, even while the schedule is paused.
   */
  @Post(':id/backfill')
  @HttpCode(202)
  @RequireScope('schedules:write')
  @Idempotent<SchedulesController>({
    render: async ({ schedules }, { principal, request, resource }) => {
      const schedule = await schedules.read(principal, String(request.params['id']).toLowerCase());
      return backfillView(await schedules.backfillOf(schedule, resource.id));
    },
  })
  @ApiOperation({ summary: 'Backfill a schedule' })
  @ApiAnswers({ 202: { description: 'The backfill, which runs in the background.', type: BackfillView } })
  async backfill(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { from, to, overlap }: BackfillBody,
  ): Promise<BackfillView> {
    const backfill = await this.schedules.backfill(principal, await this.schedules.read(principal, id), {
      from: isoTime(Date.parse(from)),
      to: isoTime(Date.parse(to)),
      ...defined({ overlap }),
    });
    return backfillView(backfill);
  }

  /**
   * Lists the backfills of a schedule with their progress. Finished backfills are kept for `RETENTION_DAYS` days, like
   * ended executions.
   */
  @Get(':id/backfills')
  @RequireScope('schedules:read')
  @ApiOperation({ summary: 'List the backfills of a schedule', operationId: 'listScheduleBackfills' })
  @ApiPage(BackfillView, 'Backfills.')
  async backfills(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: PageQuery,
  ): Promise<Page<BackfillView>> {
    const schedule = await this.schedules.read(principal, id);
    const { items, total } = await this.schedules.backfillsOf(schedule, idPlace(query));
    return page(query, { rows: items, total, cursorOf: (row) => [row.id], toItem: backfillView });
  }

  @Get(':id/backfills/:backfill_id')
  @RequireScope('schedules:read')
  @ApiOperation({ summary: 'Read the progress of a backfill', operationId: 'readScheduleBackfill' })
  @ApiAnswers({ 200: { description: 'The backfill.', type: BackfillView } })
  async readBackfill(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @IdParam('backfill_id') backfillId: string,
  ): Promise<BackfillView> {
    const schedule = await this.schedules.read(principal, id);
    return backfillView(await this.schedules.backfillOf(schedule, backfillId));
  }

  /** Lists the next scheduled times of a schedule, without jitter. */
  @Get(':id/upcoming')
  @RequireScope('schedules:read')
  @ApiOperation({ summary: 'List the next scheduled times', operationId: 'listUpcomingInstants' })
  @ApiAnswers({ 200: { description: 'The next scheduled times.', type: InstantsView } })
  async upcoming(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() { count }: UpcomingQuery,
  ): Promise<InstantsView> {
    return instantsView(this.schedules.upcoming(await this.schedules.read(principal, id), count));
  }

  /** Lists the outcomes of past scheduled times. Outcomes are kept for `RETENTION_DAYS` days, like ended executions. */
  @Get(':id/fires')
  @RequireScope('schedules:read')
  @ApiOperation({ summary: 'List the past scheduled times of a schedule', operationId: 'listScheduleFires' })
  @ApiPage(FireView, 'Fires.')
  async fires(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: PageQuery,
  ): Promise<Page<FireView>> {
    const schedule = await this.schedules.read(principal, id);
    const { items, total } = await this.schedules.fires(schedule, idPlace(query));
    return page(query, { rows: items, total, cursorOf: (fire) => [fire.id], toItem: fireView });
  }

  private created(schedule: Schedule, response: Response): ScheduleView {
    response.set('Location', `/v1/schedules/${schedule.id}`);
    return tagged(schedule, response);
  }

  private async current(principal: Principal, id: string, ifMatch: string | undefined): Promise<Schedule> {
    return matched(await this.schedules.read(principal, id), ifMatch);
  }
}

function tagged(schedule: Schedule, response: Response): ScheduleView {
  response.set('ETag', etagOf(schedule.revision));
  return scheduleView(schedule);
}
