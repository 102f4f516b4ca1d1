import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdmissionModule } from '../admission/index.js';
import { ExecutionRunnerModule } from '../execution-runner/index.js';
import { InstancesModule } from '../instances/index.js';
import { SchedulesModule } from '../schedules/index.js';
import type { Settings } from '../settings/index.js';
import { StorageModule } from '../storage/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { DueWork } from './due-work.js';
import { SharedOffset } from './shared-offset.js';
import { TestClock } from './test-clock.js';
import { TestClockController } from './test-clock.controller.js';
import { TestClockEntity } from './test-clock.entity.js';
import { TestClockRepository } from './test-clock.repository.js';

/** Lets tests move the time of the service, so that tests need not wait for timers. */
@Module({
  imports: [
    TypeOrmModule.forFeature([TestClockEntity]),
    AdmissionModule,
    ExecutionRunnerModule,
    InstancesModule,
    SchedulesModule,
    StorageModule,
    WebhooksModule,
  ],
  controllers: [TestClockController],
  providers: [DueWork, SharedOffset, TestClock, TestClockRepository],
})
export class TestClockModule {}

/** Whether tests may move the time of the service. A service in production refuses to start with `TEST_CLOCK=true`. */
export function hasTestClock({ NODE_ENV, TEST_CLOCK }: Pick<Settings, 'NODE_ENV' | 'TEST_CLOCK'>): boolean {
  return NODE_ENV === 'test' || TEST_CLOCK;
}
