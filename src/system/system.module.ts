import { Module } from '@nestjs/common';
import { ExecutionReportsModule } from '../execution-reports/index.js';
import { InstancesModule } from '../instances/index.js';
import { JournalModule } from '../journal/index.js';
import { ProjectsModule } from '../projects/index.js';
import { StorageModule } from '../storage/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { CommitLatency } from './commit-latency.js';
import { SystemController } from './system.controller.js';
import { SystemRepository } from './system.repository.js';
import { SystemService } from './system.service.js';
import { WebhookBacklogs } from './webhook-backlogs.js';

/** Reports the state of the whole service to its operators. */
@Module({
  imports: [
    ExecutionReportsModule,
    InstancesModule,
    JournalModule,
    ProjectsModule,
    StorageModule,
    WebhooksModule,
  ],
  controllers: [SystemController],
  providers: [CommitLatency, SystemRepository, SystemService, WebhookBacklogs],
})
export class SystemModule {}
