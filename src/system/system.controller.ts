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
   * Processes, queue, commits, database and webhooks of the whole service. Data may be up to two seconds old, webhooks
   * up to five seconds, sizes up to a minute. For admins and owners.
   */
  @Get()
  @RequireScope('audit:read')
  @ApiOperation({ summary: 'Read the state of the service', operationId: 'readSystem' })
  @ApiAnswers({ 200: { description: 'Figures.', type: SystemView } })
  async read(@CurrentPrincipal() principal: Principal): Promise<SystemView> {
    const { figures, webhooks } = await this.system.read(principal);
    return systemView(figures, webhooks);
  }
}
