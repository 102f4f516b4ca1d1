import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AccessEpoch, type Principal } from '../access/index.js';
import { type Batch, EventBus } from '../journal/index.js';
import { ProjectsService } from '../projects/index.js';
import { type RevocableReader, ProjectRevocations } from './project-revocations.ts';
import { ProjectGrants, type ProjectReader } from './project-grants.ts';

/** A reader to which the hub passes batches. */
export interface HubReader extends ProjectReader, RevocableReader {
  offer(batch: Batch): void;
}

/**
 * Passes batches of the event bus to the readers of their project, workflow, execution or session. The cost of a batch
 * depends only on the number of its readers.
 */
@Injectable()
export class FeedHub implements OnApplicationShutdown {
  private readonly readers = new Set<HubReader>();
  private readonly topicsOf = new Map<HubReader, ReadonlySet<string>>();
  private readonly byTopic = new Map<string, Set<HubReader>>();
  private readonly newProjects: ProjectGrants;
  private readonly lostProjects: ProjectRevocations;
  /** Unsubscribes from the event bus; undefined if there is no reader. */
  private leaveBus: (() => void) | undefined;
  private connecting = 0;

  constructor(
    private readonly bus: EventBus,
    projects: ProjectsService,
    epoch: AccessEpoch,
  ) {
    this.newProjects = new ProjectGrants(projects, this.readers);
    this.lostProjects = new ProjectRevocations(projects, epoch, this.readers);
  }

  onApplicationShutdown(): void {
    this.leaveBus?.();
    this.newProjects.stop();
    void this.lostProjects.stop();
  }

  /**
   * Connects a reader.
   * @param make creates the reader from the ids of the principal's projects; must call `place` synchronously
   */
  async connect<Reader>(principal: Principal, make: (reach: readonly string[]) => Reader): Promise<Reader> {
    this.connecting += 1;
    this.follow();
    try {
      return await this.newProjects.connect(principal, make);
    } finally {
      this.connecting -= 1;
      this.follow();
    }
  }

  /** Sets the ids of the projects, workflows, executions and sessions whose batches the reader receives. */
  place(reader: HubReader, topics: Iterable<string>): void {
    this.displace(reader);
    const own = new Set(topics);
    this.readers.add(reader);
    this.follow();
    this.topicsOf.set(reader, own);
    for (const topic of own) {
      const readers = this.byTopic.get(topic) ?? new Set();
      this.byTopic.set(topic, readers.add(reader));
    }
  }

  remove(reader: HubReader): void {
    this.displace(reader);
    this.readers.delete(reader);
    this.topicsOf.delete(reader);
    this.follow();
  }

  /**
   * Subscribes to the event bus while there is a reader. If nothing subscribes, the process does not read the journal.
   */
  private follow(): void {
    if (this.readers.size + this.connecting > 0)
      this.leaveBus ??= this.bus.subscribe((batch) => this.lead(batch));
    else {
      this.leaveBus?.();
      this.leaveBus = undefined;
    }
  }

  private displace(reader: HubReader): void {
    for (const topic of this.topicsOf.get(reader) ?? []) {
      const readers = this.byTopic.get(topic);
      readers?.delete(reader);
      if (readers?.size === 0) this.byTopic.delete(topic);
    }
  }

  private lead(batch: Batch): void {
    this.newProjects.notice(batch);
    const groups = [batch.projectId, batch.workflowId, batch.executionId, batch.sessionId].flatMap(
      (topic) => {
        const readers = topic === null ? undefined : this.byTopic.get(topic);
        return readers === undefined ? [] : [readers];
      },
    );
    const [only] = groups;
    if (only === undefined) return;
    // A reader may be in several groups. It must receive each batch only once.
    for (const reader of groups.length === 1 ? only : new Set(groups.flatMap((group) => [...group])))
      reader.offer(batch);
  }
}
