import { Injectable } from '@nestjs/common';
import { type EventSubject, EventSubjects, type ExecutionSubject } from './events/index.js';
import { ReachableExecutions, hasEnded } from './execution-store/index.js';
import { SessionsService } from './sessions/index.js';
import { WorkflowsService } from './workflows/index.js';

/**
 * Adapter of the port `EventSubjects`: looks up the execution, workflow or session of an event feed. Because of the
 * port, the module `events` need not import `execution-store`, `workflows` and `sessions`.
 */
@Injectable()
export class SubjectsOfEvents extends EventSubjects {
  constructor(
    private readonly executions: ReachableExecutions,
    private readonly workflows: WorkflowsService,
    private readonly sessions: SessionsService,
  ) {
    super();
  }

  async execution(id: string): Promise<ExecutionSubject | undefined> {
    const execution = await this.executions.find(id);
    if (execution === undefined) return undefined;
    return {
      projectId: execution.projectId,
      sessionId: execution.sessionId,
      lastSequence: execution.progress.lastSequence,
      isFinal: hasEnded(execution),
    };
  }

  workflow(id: string): Promise<EventSubject | undefined> {
    return this.workflows.find(id);
  }

  session(id: string): Promise<EventSubject | undefined> {
    return this.sessions.find(id);
  }
}
