import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AccessEpoch, type Principal } from '../access/index.js';
import { type Batch, EventBus } from '../journal/index.js';
import { ProjectsService } from '../projects/index.js';
import { type RevocableReader, ProjectRevocations } from './project-revocations.ts';
import { ProjectGrants, type ProjectReader } from './project-grants.ts';

/** A reader that receives batches from the hub. */
export interface HubReader extends ProjectReader, RevocableReader {
  offer(batch: Batch): void;
}

/** Routes batches from the bus to the readers subscribed to them. The cost of a batch depends only on its readers. */
@Injectable()
export class FeedHub implements OnModuleInit, OnApplicationShutdown {
  private readonly readers = new Set<HubReader>();
  private readonly topicsOf = new Map<HubReader, ReadonlySet<string>>();
  private readonly byTopic = new Map<string, Set<HubReader>>();
  private readonly newProjects: ProjectGrants;
  private readonly lostProjects: ProjectRevocations;
  private leaveBus: () => void = () => undefined;

  constructor(
    private readonly bus: EventBus,
    projects: ProjectsService,
    epoch: AccessEpoch,
  ) {
    this.newProjects = new ProjectGrants(projects, this.readers);
    this.lostProjects = new ProjectRevocations(projects, epoch, this.readers);
  }

  onModuleInit(): void {
    this.leaveBus = this.bus.subscribe((batch) => this.lead(batch));
  }

  onApplicationShutdown(): void {
    this.leaveBus();
    this.newProjects.stop();
    void this.lostProjects.stop();
  }

  /**
   * Connects a reader.
   * @param make creates the reader from the ids of the principal's projects and must place it synchronously
   */
  connect<Reader>(principal: Principal, make: (reach: readonly string[]) => Reader): Promise<Reader> {
    return this.newProjects.connect(principal, make);
  }

  /** Sets the ids of projects, workflows, executions and sessions whose batches the reader receives. */
  place(reader: HubReader, topics: Iterable<string>): void {
    this.displace(reader);
    const own = new Set(topics);
    this.readers.add(reader);
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
    // A reader may be in several groups but receives each batch once.
    for (const reader of groups.length === 1 ? only : new Set(groups.flatMap((group) => [...group])))
      reader.offer(batch);
  }
}
