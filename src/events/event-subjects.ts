/**
 * An execution, workflow or session whose events a client requests. The fields are those that the access check needs.
 */
export interface EventSubject {
  readonly projectId: string;
}

export interface ExecutionSubject extends EventSubject {
  /** Sequence of the last event of the execution. */
  readonly lastSequence: number;
  readonly sessionId: string | null;
  /** Whether the status is final, so that no more events follow. */
  readonly isFinal: boolean;
}

/**
 * Port to the rooms that own executions, workflows and sessions. Each method returns undefined if no resource has the
 * id.
 */
export abstract class EventSubjects {
  abstract execution(id: string): Promise<ExecutionSubject | undefined>;
  abstract workflow(id: string): Promise<EventSubject | undefined>;
  abstract session(id: string): Promise<EventSubject | undefined>;
}
