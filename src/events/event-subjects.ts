/** What a filter or a path names: only enough to decide whether the caller may follow it. */
export interface EventSubject {
  readonly projectId: string;
}

export interface ExecutionSubject extends EventSubject {
  /** Events that its journal has ever had. */
  readonly lastSequence: number;
  readonly sessionId: string | null;
  /** Whether it is final: no event follows. */
  readonly isFinal: boolean;
}

/**
 * Port to the rooms that own what events are about; bound where the service is composed. Each answers
 * undefined where there is none of that id.
 */
export abstract class EventSubjects {
  abstract execution(id: string): Promise<ExecutionSubject | undefined>;
  abstract workflow(id: string): Promise<EventSubject | undefined>;
  abstract session(id: string): Promise<EventSubject | undefined>;
}
