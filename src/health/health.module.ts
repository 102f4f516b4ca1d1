import { StorageModule } from '../storage/index.js';
import { type DynamicModule, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { InProcessQueueProbe, QueueProbe } from './queue-probe.js';
import { Readiness } from './readiness.js';

/**
 * Options of the health module. `queue` is the class that checks the queue of executions; `imports` are the
 * modules that this class needs. Without `queue`, the health checks always report the queue as up.
 */
export interface HealthOptions extends Pick<ModuleMetadata, 'imports'> {
  readonly queue?: Type<QueueProbe>;
}

@Module({})
export class HealthModule {
  static forRoot({ queue = InProcessQueueProbe, imports = [] }: HealthOptions = {}): DynamicModule {
    return {
      module: HealthModule,
      imports: [StorageModule, TerminusModule.forRoot({ logger: false }), ...imports],
      controllers: [HealthController],
      providers: [Readiness, { provide: QueueProbe, useClass: queue }],
      exports: [Readiness],
    };
  }
}
