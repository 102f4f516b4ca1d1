import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ApiAnswers } from '../http/index.js';
import { SystemService } from './system.service.js';
import { systemView, SystemView } from './system.view.js';

@ApiTags('system')
@Controller('v1/system')
export class SystemController {
  constructor(private readonly system: SystemService) {}

  /**
   * Returns the processes, queue, commits, database and webhooks of the whole service, for admins and owners. Most
   * figures are up to two seconds old. Figures of webhooks are up to five seconds old, and sizes up to a minute.
   */
  @Get()
  @RequireScope('audit:read')
  @ApiOperation({ summary: 'Read the state of the service', operationId: 'readSystem' })
  @ApiAnswers({ 200: { description: 'The state of the service.', type: SystemView } })
  async read(@CurrentPrincipal() principal: Principal): Promise<SystemView> {
    const { figures, webhooks } = await this.system.read(principal);
    return systemView(figures, webhooks);
  }
}
