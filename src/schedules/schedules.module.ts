import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { ExecutionStartModule } from '../execution-start/index.js';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { ProjectsModule } from '../projects/index.js';
import { StorageModule } from '../storage/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { BackfillEntity } from './backfill.entity.js';
import { BackfillsRepository } from './backfills.repository.js';
import { FireEntity } from './fire.entity.js';
import { FiresRepository } from './fires.repository.js';
import { InstantFiring } from './instant-firing.js';
import { ScheduleEntity } from './schedule.entity.js';
import { ScheduleRunner } from './schedule-runner.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesRepository } from './schedules.repository.js';
import { SchedulesService } from './schedules.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([BackfillEntity, FireEntity, ScheduleEntity]),
    AuditModule,
    ExecutionStartModule,
    ExecutionStoreModule,
    IdempotencyModule,
    ProjectsModule,
    StorageModule,
    WorkflowsModule,
  ],
  controllers: [SchedulesController],
  providers: [
    BackfillsRepository,
    FiresRepository,
    InstantFiring,
    ScheduleRunner,
    SchedulesRepository,
    SchedulesService,
  ],
  exports: [ScheduleRunner, SchedulesService],
})
export class SchedulesModule {}
