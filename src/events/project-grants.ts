import { Logger } from '@nestjs/common';
import type { Principal } from '../access/index.ts';
import type { Batch } from '../journal/index.ts';

/** Port to read the projects that a principal may read; `ProjectsService` implements it. */
export interface ReadableProjects {
  reachable(principal: Principal): Promise<readonly { readonly id: string }[]>;
}

/** A reader that gains access to projects created after the reader connected. */
export interface ProjectReader {
  readonly principal: Principal;
  /**
   * Adds new projects to the reader.
   * @param fromPosition position of the first batch of these projects that the reader has missed
   */
  gain(projectIds: readonly string[], fromPosition: number): void;
}

/** Minimum time in milliseconds between two queries for the projects of teams. */
const ASK_INTERVAL_MS = 1_000;

/**
 * Adds new projects to connected readers. A batch of an unknown project triggers a query for the readers that have
 * access, at most once a second. These readers then receive the events of the project from its first event.
 */
export class ProjectGrants {
  private readonly logger = new Logger(ProjectGrants.name);
  /** Projects that were already added to all readers that have access. */
  private readonly settled = new Set<string>();
  /** Position of the first batch of each project that is not settled. */
  private readonly waiting = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private settledCount = 0;
  private connecting = 0;

  constructor(
    private readonly projects: ReadableProjects,
    private readonly readers: ReadonlySet<ProjectReader>,
  ) {}

  /**
   * Creates a reader with all projects that the principal may read.
   * @param make must register the reader synchronously, so that no project can be created unnoticed in between
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

  /** Checks whether the project of a batch is unknown. Called for every batch. */
  notice({ projectId, position }: Batch): void {
    if (this.settled.has(projectId) || (this.readers.size === 0 && this.connecting === 0)) return;
    const first = this.waiting.get(projectId) ?? Number.POSITIVE_INFINITY;
    this.waiting.set(projectId, Math.min(first, position));
    // The first query runs immediately. The next query follows at least one second later.
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
   * Projects by team. Repeats the query until all teams with a reader are covered. There is no `await` after the last
   * check of the readers, so that no reader can be added unnoticed.
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
