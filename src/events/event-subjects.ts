/** The execution, workflow or session that a filter or path names, with the data for the access check. */
export interface EventSubject {
  readonly projectId: string;
}

export interface ExecutionSubject extends EventSubject {
  /** Sequence of its last event. */
  readonly lastSequence: number;
  readonly sessionId: string | null;
  /** Whether its status is final: no more events follow. */
  readonly isFinal: boolean;
}

/**
 * Port to the rooms that own executions, workflows and sessions; bound at composition. Methods return undefined if the
 * id does not exist.
 */
export abstract class EventSubjects {
  abstract execution(id: string): Promise<ExecutionSubject | undefined>;
  abstract workflow(id: string): Promise<EventSubject | undefined>;
  abstract session(id: string): Promise<EventSubject | undefined>;
}
