import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { V0SessionsController } from './v0-sessions.controller.js';
import { V0WorkflowsController } from './v0-workflows.controller.js';

/** The deprecated version of the API: reads alone, answered by the rooms that answer `/v1`. */
@Module({
  imports: [SessionsModule, WorkflowsModule],
  controllers: [V0SessionsController, V0WorkflowsController],
})
export class V0Module {}
