import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JournalModule } from '../journal/index.js';
import { StorageModule } from '../storage/index.js';
import {
  ExecutionTotalEntity,
  ExecutionHourEntity,
  ExecutionSpanEntity,
  ExecutionFrontierEntity,
  ExecutionStragglerEntity,
} from './totals.entity.js';
import { ExecutionCountRepository } from './execution-count.repository.js';
import { TotalsKeeper } from './totals-keeper.js';
import { TotalsRepository } from './totals.repository.js';

/** Counts executions exactly. Stored totals, which are updated in the background, keep the counts fast. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ExecutionTotalEntity,
      ExecutionHourEntity,
      ExecutionSpanEntity,
      ExecutionFrontierEntity,
      ExecutionStragglerEntity,
    ]),
    JournalModule,
    StorageModule,
  ],
  providers: [ExecutionCountRepository, TotalsKeeper, TotalsRepository],
  exports: [ExecutionCountRepository, TotalsRepository],
})
export class ExecutionTotalsModule {}
