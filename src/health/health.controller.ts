import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../access/index.js';
import { ApiAnswers } from '../http/index.js';
import { LiveView, ReadyView } from './health.view.js';
import { Readiness } from './readiness.js';

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Responds if this process works. If there is no response, restart the process. */
  @Get('live')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Check that the process is alive' })
  @ApiAnswers({ 200: { description: 'The process is alive.', type: LiveView } })
  live(): LiveView {
    return { status: 'ok' };
  }

  /**
   * Responds with 200 if this process can handle requests: its database and queue respond, and it is not shutting down.
   */
  @Get('ready')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Check that the process can serve requests' })
  @ApiAnswers({ 200: { description: 'The process is ready.', type: ReadyView } }, 503)
  async ready(): Promise<ReadyView> {
    return { status: 'ok', checks: await this.readiness.check() };
  }
}
