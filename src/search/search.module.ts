import { Module } from '@nestjs/common';
import { ExecutionsModule } from '../executions/index.js';
import { HooksModule } from '../hooks/index.js';
import { KeysModule } from '../keys/index.js';
import { SchedulesModule } from '../schedules/index.js';
import { SecretsModule } from '../secrets/index.js';
import { SessionsModule } from '../sessions/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';
import { SearchSources } from './search-sources.js';

@Module({
  imports: [
    ExecutionsModule,
    HooksModule,
    KeysModule,
    SchedulesModule,
    SecretsModule,
    SessionsModule,
    WebhooksModule,
    WorkflowsModule,
  ],
  controllers: [SearchController],
  providers: [SearchService, SearchSources],
})
export class SearchModule {}
