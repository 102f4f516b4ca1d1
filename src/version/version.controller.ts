import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/index.js';
import { ApiAnswers } from '../http/index.js';
import { ServerVersion } from './version.dto.js';
import { VersionService } from './version.service.js';

@ApiTags('Version')
@Controller('server/version')
export class VersionController {
  constructor(private readonly versions: VersionService) {}

  @Authenticated()
  @ApiOperation({ operationId: 'getServerVersion', summary: 'Get the version of the server' })
  @ApiAnswers({ 200: { description: 'The version of the server and of its API.', type: ServerVersion } })
  @Get()
  get(): ServerVersion {
    return this.versions.read();
  }
}
