import { applyDecorators, Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import {
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope, Viewable } from '../access/index.js';
import { PAYLOAD_FIELDS, type PayloadField } from '../journal/index.js';
import { IdParam } from '../http/index.js';
import { EventAnswers } from './event-answers.js';
import {
  EventsQuery,
  ExecutionEventsQuery,
  ExecutionEventsView,
  FeedView,
  SessionEventsQuery,
} from './events.dto.js';
import { PayloadFieldPipe, SequencePipe } from './payload-path.js';

/** Documents the stream response that `Accept: text/event-stream` selects. */
function ApiStream(): MethodDecorator {
  return applyDecorators(
    ApiProduces('application/json', 'text/event-stream'),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description:
        'Cursor of the last event that the client received. The stream resumes after that event. The service ignores this header without `Accept: text/event-stream`.',
    }),
  );
}

/** Events over HTTP: as pages, or as a live stream with `Accept: text/event-stream`. */
@ApiTags('events')
@Controller('v1')
export class EventsController {
  constructor(private readonly answers: EventAnswers) {}

  /** Lists all events that the caller may read, oldest first. A stream without `after` starts with new events. */
  @Get('events')
  @RequireScope('events:read')
  @ApiOperation({ summary: 'Read events', operationId: 'readEvents' })
  @ApiStream()
  @ApiOkResponse({ type: FeedView })
  everything(
    @CurrentPrincipal() principal: Principal,
    @Query() query: EventsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.answers.everything({ principal, request, response }, query);
  }

  /** Lists the events of an execution in order. A stream ends after the final event of the execution. */
  @Get('executions/:id/events')
  @RequireScope('executions:read')
  @Viewable()
  @ApiOperation({ summary: 'Read the events of an execution', operationId: 'readExecutionEvents' })
  @ApiStream()
  @ApiOkResponse({ type: ExecutionEventsView })
  @ApiNoContentResponse({
    description:
      'A request for an event stream gets this response if the execution has ended and no events follow the requested cursor.',
  })
  execution(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: ExecutionEventsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.answers.execution({ principal, request, response }, id, query);
  }

  /**
   * Returns a value that is too long to be part of its event. `output_url` and `input_url` of events point to this
   * route.
   */
  @Get('executions/:id/events/:sequence/:field')
  @RequireScope('executions:read')
  @Viewable()
  @ApiOperation({ summary: 'Read a long value of an event', operationId: 'readEventPayload' })
  @ApiParam({ name: 'sequence', schema: { type: 'integer', minimum: 1 }, example: 3 })
  @ApiParam({ name: 'field', enum: PAYLOAD_FIELDS, example: 'output' })
  @ApiOkResponse({ description: 'The long value, as JSON.', schema: { example: { rows: [1, 2, 3] } } })
  payload(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Param('sequence', SequencePipe) sequence: number,
    @Param('field', PayloadFieldPipe) field: PayloadField,
    @Res() response: Response,
  ): Promise<void> {
    return this.answers.payload(principal, response, id, sequence, field);
  }

  /** Lists the events of a session's executions, in commit order. */
  @Get('sessions/:id/events')
  @RequireScope('events:read')
  @Viewable()
  @ApiOperation({ summary: 'Read the events of a session', operationId: 'readSessionEvents' })
  @ApiStream()
  @ApiOkResponse({ type: FeedView })
  session(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: SessionEventsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.answers.session({ principal, request, response }, id, query);
  }
}
