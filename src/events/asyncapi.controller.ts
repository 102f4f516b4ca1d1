import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Authenticated } from '../access/index.js';
import type { JsonObject } from '../engine/index.js';
import { ApiAnswers, SETTINGS, type Settings } from '../platform/index.js';
import { asyncApiDocument } from './asyncapi.js';

/** Describes the socket as `/openapi.json` describes the requests. */
@ApiTags('events')
@Controller()
export class AsyncApiController {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  @Get('asyncapi.json')
  @Authenticated()
  @ApiOperation({ summary: 'Describe the socket', operationId: 'readAsyncApi' })
  @ApiAnswers({ 200: { description: 'An AsyncAPI 3.0 document.', example: { asyncapi: '3.0.0' } } })
  describe(@Req() request: Request): JsonObject {
    return asyncApiDocument(this.settings.BASE_URL ?? `${request.protocol}://${request.get('host') ?? 'localhost'}`, '1.0.0');
  }
}
