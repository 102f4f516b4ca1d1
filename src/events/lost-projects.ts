import { Logger } from '@nestjs/common';
import { Periodic } from '../platform/index.js';
import type { Principal } from '../access/index.js';
import type { ReadableProjects } from './new-projects.js';

/** A reader of projects that may be deleted while it is connected. */
export interface LosingReader {
  readonly principal: Principal;
  readonly projectIds: readonly string[];
  lose(projectIds: readonly string[]): void;
}

/** Epoch that grows with every change of access rights: `AccessEpoch`. */
export interface AccessChange {
  current(): Promise<number>;
}

/** The epoch may be half a second stale. With this interval a deletion takes effect within one second. */
const LOOK_INTERVAL_MS = 250;

/** Revokes deleted projects from connected readers, whichever process deleted them. */
export class LostProjects {
  private readonly logger = new Logger(LostProjects.name);
  private readonly poll = new Periodic(
    LOOK_INTERVAL_MS,
    () => this.look(),
    (error) => this.logger.warn({ err: error }, 'Deleted projects could not be looked for; trying again.'),
  );
  private seen = -1;

  constructor(
    private readonly projects: ReadableProjects,
    private readonly access: AccessChange,
    private readonly readers: ReadonlySet<LosingReader>,
  ) {
    this.poll.start();
  }

  stop(): Promise<void> {
    return this.poll.stop();
  }

  private async look(): Promise<void> {
    if (this.readers.size === 0) return;
    const epoch = await this.access.current();
    if (epoch === this.seen) return;
    // Snapshot before the query: a project missing from its result was then deleted, not created since.
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
