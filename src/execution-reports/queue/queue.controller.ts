import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../../access/index.js';
import { ApiAnswers } from '../../http/index.js';
import { QueueService } from './queue.service.js';
import { queueView, QueueView } from './queue.view.js';

@ApiTags('executions')
@Controller('v1/queue')
export class QueueController {
  constructor(private readonly queue: QueueService) {}

  /**
   * Returns the number of queued executions by project, and the processes that run executions. Only admins and owners
   * may read these figures, which are at most two seconds old.
   */
  @Get()
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'Read the state of the queue', operationId: 'readQueue' })
  @ApiAnswers({ 200: { description: 'The state of the queue.', type: QueueView } })
  async read(@CurrentPrincipal() principal: Principal): Promise<QueueView> {
    const { figures, measuredAt } = await this.queue.read(principal);
    return queueView(figures, measuredAt);
  }
}
