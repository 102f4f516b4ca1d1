import { Logger } from '@nestjs/common';
import { Periodic } from '../platform/index.ts';
import type { Principal } from '../access/index.ts';
import type { ReadableProjects } from './project-grants.ts';

/** A reader that loses access to projects deleted after the reader connected. */
export interface RevocableReader {
  readonly principal: Principal;
  readonly projectIds: readonly string[];
  lose(projectIds: readonly string[]): void;
}

/** Port to the access epoch, a number that grows with every change of access rights; `AccessEpoch` implements it. */
export interface AccessChange {
  current(): Promise<number>;
}

/**
 * Interval in milliseconds between reads of the access epoch. The epoch is cached for up to half a second, so a
 * deletion takes effect within one second.
 */
const POLL_INTERVAL_MS = 250;

/** Removes deleted projects from connected readers, even if another process deleted them. */
export class ProjectRevocations {
  private readonly logger = new Logger(ProjectRevocations.name);
  private readonly poll = new Periodic(
    POLL_INTERVAL_MS,
    () => this.revokeDeleted(),
    (error) => this.logger.warn({ err: error }, 'Deleted projects could not be read; trying again.'),
  );
  private seen = -1;

  constructor(
    private readonly projects: ReadableProjects,
    private readonly access: AccessChange,
    private readonly readers: ReadonlySet<RevocableReader>,
  ) {
    this.poll.start();
  }

  stop(): Promise<void> {
    return this.poll.stop();
  }

  private async revokeDeleted(): Promise<void> {
    if (this.readers.size === 0) return;
    const epoch = await this.access.current();
    if (epoch === this.seen) return;
    // Copy the projects of the readers before the query. If the query does not return one of these projects, the
    // project was deleted and was not just created during the query.
    const held = [...this.readers].map((reader) => ({ reader, projectIds: reader.projectIds }));
    const byTeam = Map.groupBy(
      held,
      ({ reader: { principal } }) => `${principal.teamId} ${principal.projectId}`,
    );
    for (const ofTeam of byTeam.values()) {
      const [first] = ofTeam;
      if (first === undefined) continue;
      const there = new Set((await this.projects.reachable(first.reader.principal)).map(({ id }) => id));
      for (const { reader, projectIds } of ofTeam) {
        const lost = projectIds.filter((id) => !there.has(id));
        if (lost.length > 0 && this.readers.has(reader)) reader.lose(lost);
      }
    }
    this.seen = epoch;
  }
}
