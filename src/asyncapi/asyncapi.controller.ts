import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Authenticated } from '../access/index.js';
import type { JsonObject } from '../expressions/index.js';
import { ApiAnswers } from '../http/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { asyncApiDocument } from './asyncapi.js';

const OBJECT = { type: 'object', additionalProperties: true } as const;

/** The response: an AsyncAPI 3.0 document. This class declares only the fields that the OpenAPI document describes. */
class AsyncApiView {
  @ApiProperty({ type: 'string', example: '3.0.0' })
  asyncapi: string;

  @ApiProperty(OBJECT)
  info: JsonObject;

  @ApiProperty({ type: 'string', example: 'application/json' })
  defaultContentType: string;

  @ApiProperty(OBJECT)
  servers: JsonObject;

  @ApiProperty(OBJECT)
  channels: JsonObject;

  @ApiProperty(OBJECT)
  operations: JsonObject;
}

/** Serves the AsyncAPI description of the WebSocket messages. The REST API is described by `/openapi.json`. */
@ApiTags('events')
@Controller()
export class AsyncApiController {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  @Get('asyncapi.json')
  @Authenticated()
  @ApiOperation({ summary: 'Describe the WebSocket messages', operationId: 'readAsyncApi' })
  @ApiAnswers({ 200: { description: 'An AsyncAPI 3.0 document.', type: AsyncApiView } })
  describe(@Req() request: Request): AsyncApiView {
    return asyncApiDocument(
      this.settings.BASE_URL ?? `${request.protocol}://${request.get('host') ?? 'localhost'}`,
      '1.0.0',
    );
  }
}
