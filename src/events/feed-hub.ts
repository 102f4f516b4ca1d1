import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AccessEpoch, type Principal } from '../access/index.js';
import { type Batch, EventBus, type ProjectSubscription } from '../journal/index.js';
import { ProjectsService } from '../projects/index.js';
import { ProjectChanges, type ProjectReader } from './project-changes.ts';

/** A reader to which the hub passes batches. */
export interface HubReader extends ProjectReader {
  offer(batch: Batch): void;
}

/** What decides which batches a reader receives. */
export interface ReaderPlace {
  /** Ids of the projects, workflows, executions and sessions whose batches the reader receives. */
  readonly topics: ReadonlySet<string>;
  /** Ids of the projects to which the topics belong. */
  readonly projectIds: ReadonlySet<string>;
}

const NOWHERE: ReaderPlace = { topics: new Set(), projectIds: new Set() };

/**
 * Passes batches of the event bus to the readers of their project, workflow, execution or session. The cost of a batch
 * depends only on the number of its readers.
 */
@Injectable()
export class FeedHub implements OnApplicationShutdown {
  private readonly readers = new Set<HubReader>();
  private readonly placeOf = new Map<HubReader, ReaderPlace>();
  private readonly byTopic = new Map<string, Set<HubReader>>();
  /** Number of readers by project. */
  private readonly byProject = new Map<string, number>();
  private readonly changes: ProjectChanges;
  /** The subscription to the event bus; undefined if there is no reader. */
  private subscription: ProjectSubscription | undefined;
  private connecting = 0;

  constructor(
    private readonly bus: EventBus,
    projects: ProjectsService,
    epoch: AccessEpoch,
  ) {
    this.changes = new ProjectChanges(projects, epoch, this.readers);
  }

  onApplicationShutdown(): Promise<void> {
    this.subscription?.leave();
    return this.changes.stop();
  }

  /**
   * Connects a reader.
   * @param make creates the reader from the ids of the principal's projects; must call `place` synchronously
   */
  async connect<Reader>(principal: Principal, make: (reach: readonly string[]) => Reader): Promise<Reader> {
    this.connecting += 1;
    this.follow();
    try {
      return await this.changes.connect(principal, make);
    } finally {
      this.connecting -= 1;
      this.follow();
    }
  }

  /** Sets the batches that the reader receives. */
  place(reader: HubReader, place: ReaderPlace): void {
    this.readers.add(reader);
    this.move(reader, place);
  }

  remove(reader: HubReader): void {
    this.readers.delete(reader);
    this.move(reader, NOWHERE);
    this.placeOf.delete(reader);
  }

  private move(reader: HubReader, place: ReaderPlace): void {
    const former = this.placeOf.get(reader) ?? NOWHERE;
    this.placeOf.set(reader, place);
    for (const topic of former.topics) {
      const readers = this.byTopic.get(topic);
      readers?.delete(reader);
      if (readers?.size === 0) this.byTopic.delete(topic);
    }
    for (const topic of place.topics) {
      const readers = this.byTopic.get(topic) ?? new Set();
      this.byTopic.set(topic, readers.add(reader));
    }
    const { size } = this.byProject;
    // The new projects are counted before the former ones are removed, so that projects in both keep
    // their count.
    const isAdded = [...place.projectIds].map((id) => this.count(id, 1)).includes(1);
    for (const id of former.projectIds) this.count(id, -1);
    this.follow();
    if (isAdded || this.byProject.size !== size) this.subscription?.follow(this.byProject.keys());
  }

  /** @returns the number of readers of the project */
  private count(projectId: string, change: 1 | -1): number {
    const readers = (this.byProject.get(projectId) ?? 0) + change;
    if (readers === 0) this.byProject.delete(projectId);
    else this.byProject.set(projectId, readers);
    return readers;
  }

  /**
   * Subscribes to the event bus while there is a reader. If nothing subscribes, the process does not read the journal.
   */
  private follow(): void {
    if (this.readers.size + this.connecting > 0)
      this.subscription ??= this.bus.subscribeToProjects((batch) => this.lead(batch));
    else {
      this.subscription?.leave();
      this.subscription = undefined;
    }
  }

  private lead(batch: Batch): void {
    const groups = [batch.projectId, batch.workflowId, batch.executionId, batch.sessionId].flatMap(
      (topic) => {
        const readers = topic === null ? undefined : this.byTopic.get(topic);
        return readers === undefined ? [] : [readers];
      },
    );
    const [only] = groups;
    if (only === undefined) return;
    // A reader may be in several groups, but must receive each batch only once.
    for (const reader of groups.length === 1 ? only : new Set(groups.flatMap((group) => [...group])))
      reader.offer(batch);
  }
}
