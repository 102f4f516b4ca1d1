import { Module } from '@nestjs/common';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { ExecutionsModule } from '../executions/index.js';
import { ComparisonsController } from './comparisons.controller.js';
import { ComparisonsService } from './comparisons.service.js';

@Module({
  imports: [ExecutionStoreModule, ExecutionsModule],
  controllers: [ComparisonsController],
  providers: [ComparisonsService],
})
export class ComparisonsModule {}
