/** An execution, workflow or session whose events a client requests, with the fields that the access check reads. */
export interface EventSubject {
  readonly projectId: string;
}

export interface ExecutionSubject extends EventSubject {
  /** Sequence of the newest event of the execution. */
  readonly lastSequence: number;
  readonly sessionId: string | null;
  /** True if the status of the execution is final, so that no further events follow. */
  readonly isFinal: boolean;
}

/** Port that looks up executions, workflows and sessions by id. Each method returns undefined for an unknown id. */
export abstract class EventSubjects {
  abstract execution(id: string): Promise<ExecutionSubject | undefined>;
  abstract workflow(id: string): Promise<EventSubject | undefined>;
  abstract session(id: string): Promise<EventSubject | undefined>;
}
