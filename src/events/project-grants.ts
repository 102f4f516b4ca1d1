import { Logger } from '@nestjs/common';
import type { Principal } from '../access/index.ts';
import type { Batch } from '../journal/index.ts';

/** Reads the projects that a principal may read: `ProjectsService`. */
export interface ReadableProjects {
  reachable(principal: Principal): Promise<readonly { readonly id: string }[]>;
}

/** A reader that may gain access to projects created after it connected. */
export interface ProjectReader {
  readonly principal: Principal;
  /** @param fromPosition position of the first batch of those projects that the reader has missed */
  gain(projectIds: readonly string[], fromPosition: number): void;
}

/** Minimum gap in milliseconds between two queries for the projects of teams. */
const ASK_INTERVAL_MS = 1_000;

/**
 * Grants new projects to connected readers. A batch of an unknown project triggers a query, at most once a second, for
 * the readers with access. They receive the project's events from the first one on.
 */
export class ProjectGrants {
  private readonly logger = new Logger(ProjectGrants.name);
  /** Projects already resolved for all connected readers. */
  private readonly settled = new Set<string>();
  /** First position seen of each unresolved project. */
  private readonly waiting = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private settledCount = 0;
  private connecting = 0;

  constructor(
    private readonly projects: ReadableProjects,
    private readonly readers: ReadonlySet<ProjectReader>,
  ) {}

  /**
   * Creates a reader with all projects that its principal may read. `make` must register it synchronously, so that no
   * new project is missed in between.
   */
  async connect<Reader>(principal: Principal, make: (reach: readonly string[]) => Reader): Promise<Reader> {
    this.connecting += 1;
    try {
      for (;;) {
        const before = this.settledCount;
        const projects = await this.projects.reachable(principal);
        if (before === this.settledCount) return make(projects.map(({ id }) => id));
      }
    } finally {
      this.connecting -= 1;
    }
  }

  /** Called with every batch. */
  notice({ projectId, position }: Batch): void {
    if (this.settled.has(projectId) || (this.readers.size === 0 && this.connecting === 0)) return;
    const first = this.waiting.get(projectId) ?? Number.POSITIVE_INFINITY;
    this.waiting.set(projectId, Math.min(first, position));
    // The first query is sent immediately, the next one a second later.
    this.timer ??= setTimeout(() => void this.settle(), 0).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.waiting.clear();
  }

  private async settle(): Promise<void> {
    const asked = [...this.waiting];
    try {
      const reach = await this.reachByTeam();
      for (const reader of this.readers) {
        const own = reach.get(reader.principal.teamId);
        const gained = reader.principal.projectId === null ? asked.filter(([id]) => own?.has(id)) : [];
        if (gained.length > 0)
          reader.gain(
            gained.map(([id]) => id),
            Math.min(...gained.map(([, position]) => position)),
          );
      }
      for (const [id] of asked) {
        this.settled.add(id);
        this.waiting.delete(id);
      }
      this.settledCount += asked.length;
    } catch (error) {
      this.logger.warn({ err: error }, 'The projects of connected teams could not be read; trying again.');
    }
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.waiting.size > 0) void this.settle();
    }, ASK_INTERVAL_MS).unref();
  }

  /**
   * Queries until every team with a reader is covered. There is no await after the last check of the readers, so none
   * can join unnoticed.
   */
  private async reachByTeam(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const reach = new Map<string, ReadonlySet<string>>();
    for (;;) {
      const next = [...this.readers].find(
        ({ principal }) => principal.projectId === null && !reach.has(principal.teamId),
      );
      if (next === undefined) return reach;
      const projects = await this.projects.reachable(next.principal);
      reach.set(next.principal.teamId, new Set(projects.map(({ id }) => id)));
    }
  }
}
