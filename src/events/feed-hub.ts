import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AccessEpoch, type Principal } from '../access/index.js';
import { type Batch, EventBus, type ProjectSubscription } from '../journal/index.js';
import { ProjectsService } from '../projects/index.js';
import { ProjectChanges, type ProjectReader } from './project-changes.ts';

/** A reader that receives batches from the `FeedHub`. */
export interface HubReader extends ProjectReader {
  offer(batch: Batch): void;
}

/** The topics of a reader, which decide which batches the hub passes to the reader. */
export interface ReaderTopics {
  /** Ids of projects, workflows, executions and sessions whose batches the reader receives. */
  readonly topics: ReadonlySet<string>;
  /** Ids of the projects that contain the topics. */
  readonly projectIds: ReadonlySet<string>;
}

const NO_TOPICS: ReaderTopics = { topics: new Set(), projectIds: new Set() };

/**
 * Passes each batch of the event bus to the readers of its project, workflow, execution or session. Readers of other
 * topics add no cost.
 */
@Injectable()
export class FeedHub implements OnApplicationShutdown {
  private readonly readers = new Set<HubReader>();
  private readonly topicsOf = new Map<HubReader, ReaderTopics>();
  private readonly byTopic = new Map<string, Set<HubReader>>();
  /** Number of connected readers by project id. */
  private readonly byProject = new Map<string, number>();
  private readonly changes: ProjectChanges;
  /** The hub's subscription to the event bus; undefined while the hub has no reader. */
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
   * Creates a reader with the current projects of a principal, and keeps these projects up to date.
   * @param make creates the reader from the ids of the projects; must register the reader with `setTopics` before it
   * returns
   */
  async connect<Reader>(principal: Principal, make: (reach: readonly string[]) => Reader): Promise<Reader> {
    this.connecting += 1;
    this.updateSubscription();
    try {
      return await this.changes.connect(principal, make);
    } finally {
      this.connecting -= 1;
      this.updateSubscription();
    }
  }

  /** Sets the topics of a reader, and so the batches that the reader receives. */
  setTopics(reader: HubReader, next: ReaderTopics): void {
    this.readers.add(reader);
    this.replaceTopics(reader, next);
  }

  remove(reader: HubReader): void {
    this.readers.delete(reader);
    this.replaceTopics(reader, NO_TOPICS);
    this.topicsOf.delete(reader);
  }

  private replaceTopics(reader: HubReader, next: ReaderTopics): void {
    const former = this.topicsOf.get(reader) ?? NO_TOPICS;
    this.topicsOf.set(reader, next);
    for (const topic of former.topics) {
      const readers = this.byTopic.get(topic);
      readers?.delete(reader);
      if (readers?.size === 0) this.byTopic.delete(topic);
    }
    for (const topic of next.topics) {
      const readers = this.byTopic.get(topic) ?? new Set();
      this.byTopic.set(topic, readers.add(reader));
    }
    const { size } = this.byProject;
    // Counts the new projects before it removes the former ones. Otherwise, the count of a project that the
    // reader keeps would briefly be 0, and the project would seem to be new.
    const isAdded = [...next.projectIds].map((id) => this.count(id, 1)).includes(1);
    for (const id of former.projectIds) this.count(id, -1);
    this.updateSubscription();
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
   * Subscribes to the event bus only while the hub has a reader, because a process without subscribers does not read
   * the journal.
   */
  private updateSubscription(): void {
    if (this.readers.size + this.connecting > 0)
      this.subscription ??= this.bus.subscribeToProjects((batch) => this.deliver(batch));
    else {
      this.subscription?.leave();
      this.subscription = undefined;
    }
  }

  private deliver(batch: Batch): void {
    const groups = [batch.projectId, batch.workflowId, batch.executionId, batch.sessionId].flatMap(
      (topic) => {
        const readers = topic === null ? undefined : this.byTopic.get(topic);
        return readers === undefined ? [] : [readers];
      },
    );
    const [only] = groups;
    if (only === undefined) return;
    // A batch may match several topics of a reader, but the reader must receive the batch only once.
    for (const reader of groups.length === 1 ? only : new Set(groups.flatMap((group) => [...group])))
      reader.offer(batch);
  }
}
