import { Logger } from '@nestjs/common';
import type { Principal } from '../access/index.ts';
import { Periodic } from '../platform/index.ts';

/** Port that returns the projects that a principal may read. Implemented by `ProjectsService`. */
export interface ReadableProjects {
  reachable(principal: Principal): Promise<readonly { readonly id: string }[]>;
}

/** Port that returns the access epoch, a number that each change of access rights increases (`AccessEpoch`). */
export interface AccessChange {
  current(): Promise<number>;
}

/** A connected reader of events, whose set of projects changes when projects are created or deleted. */
export interface ProjectReader {
  readonly principal: Principal;
  /** Ids of the projects whose events the reader currently receives. */
  readonly projectIds: readonly string[];
  /** Adds projects that the principal may now read. */
  addProjects(projectIds: readonly string[]): void;
  /** Removes projects that the principal may no longer read. */
  removeProjects(projectIds: readonly string[]): void;
}

/**
 * Poll interval for the access epoch, in milliseconds. The epoch itself is cached for up to half a second, so a change
 * takes effect within a second.
 */
const POLL_INTERVAL_MS = 250;

/**
 * Adds new projects to connected readers and removes deleted projects. Polls the access epoch in the database, and
 * thereby also detects changes that other processes made.
 */
export class ProjectChanges {
  private readonly logger = new Logger(ProjectChanges.name);
  private readonly poll = new Periodic(
    POLL_INTERVAL_MS,
    () => this.apply(),
    (error) =>
      this.logger.warn({ err: error }, 'The projects of connected teams could not be read; trying again.'),
  );
  /**
   * Access epoch at the latest update of the projects of all readers; -1 until a poll first finds a connected reader.
   */
  private applied = -1;
  /** Number of changes of the access epoch that this instance has detected. */
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
   * @param make creates the reader, and must register it synchronously. Otherwise, the reader could miss a change that
   * happens after the query for projects.
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
    // Makes concurrent calls of `connect` repeat their query, because their list of projects may be outdated.
    this.changes += 1;
    // The projects of each reader before the query. If the query does not return one of them, that project was deleted.
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
        if (lost.length > 0) reader.removeProjects(lost);
        const gained = [...readable].filter((id) => !projectIds.includes(id));
        if (gained.length > 0) reader.addProjects(gained);
      }
    }
    this.applied = epoch;
  }
}
