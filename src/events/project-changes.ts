import { Logger } from '@nestjs/common';
import type { Principal } from '../access/index.ts';
import { Periodic } from '../platform/index.ts';

/** Port to read the projects that a principal may read; `ProjectsService` implements it. */
export interface ReadableProjects {
  reachable(principal: Principal): Promise<readonly { readonly id: string }[]>;
}

/** Port to the access epoch, a number that grows with every change of access rights; `AccessEpoch` implements it. */
export interface AccessChange {
  current(): Promise<number>;
}

/** A reader whose projects change while it is connected. */
export interface ProjectReader {
  readonly principal: Principal;
  /** The projects that the principal may read. */
  readonly projectIds: readonly string[];
  /** Adds created projects. */
  gain(projectIds: readonly string[]): void;
  /** Removes deleted projects. */
  lose(projectIds: readonly string[]): void;
}

/**
 * Interval in milliseconds between reads of the access epoch. The epoch is cached for up to half a second, so a
 * change takes effect within one second.
 */
const POLL_INTERVAL_MS = 250;

/** Adds created projects to connected readers and removes deleted ones, even if another process changed them. */
export class ProjectChanges {
  private readonly logger = new Logger(ProjectChanges.name);
  private readonly poll = new Periodic(
    POLL_INTERVAL_MS,
    () => this.apply(),
    (error) =>
      this.logger.warn({ err: error }, 'The projects of connected teams could not be read; trying again.'),
  );
  /** The access epoch that all readers have; -1 before the first poll with a reader. */
  private applied = -1;
  /** Number of changes of the access epoch that polls have found. */
  private changes = 0;

  constructor(
    private readonly projects: ReadableProjects,
    private readonly access: AccessChange,
    private readonly readers: ReadonlySet<ProjectReader>,
  ) {
    this.poll.start();
  }

  stop(): Promise<void> {
    return this.poll.stop();
  }

  /**
   * Creates a reader with all projects that the principal may read.
   * @param make must register the reader synchronously, so that no change can be missed in between
   */
  async connect<Reader>(principal: Principal, make: (reach: readonly string[]) => Reader): Promise<Reader> {
    for (;;) {
      const { changes } = this;
      const projects = await this.projects.reachable(principal);
      if (changes === this.changes) return make(projects.map(({ id }) => id));
    }
  }

  private async apply(): Promise<void> {
    if (this.readers.size === 0) return;
    const epoch = await this.access.current();
    if (epoch === this.applied) return;
    // From here on, `connect` discards projects that it read before this change.
    this.changes += 1;
    // A project that a reader has before the query, and that the query does not return, was deleted.
    const held = [...this.readers].map((reader) => ({ reader, projectIds: reader.projectIds }));
    const alike = Map.groupBy(
      held,
      ({ reader: { principal } }) => `${principal.teamId} ${principal.projectId}`,
    );
    for (const group of alike.values()) {
      const [first] = group;
      if (first === undefined) continue;
      const readable = new Set((await this.projects.reachable(first.reader.principal)).map(({ id }) => id));
      for (const { reader, projectIds } of group) {
        if (!this.readers.has(reader)) continue;
        const lost = projectIds.filter((id) => !readable.has(id));
        if (lost.length > 0) reader.lose(lost);
        const gained = [...readable].filter((id) => !projectIds.includes(id));
        if (gained.length > 0) reader.gain(gained);
      }
    }
    this.applied = epoch;
  }
}
