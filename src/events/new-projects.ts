import { Logger } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import type { Batch } from '../journal/index.js';

/** Projects that a principal may read: `ProjectsService`. */
export interface ReadableProjects {
  reachable(principal: Principal): Promise<readonly { readonly id: string }[]>;
}

/** Somebody who may come to read a project that did not exist when it connected. */
export interface ProjectReader {
  readonly principal: Principal;
  /** @param fromPosition the first batch of those projects that it has not been given */
  gain(projectIds: readonly string[], fromPosition: number): void;
}

/** Time between two questions for what teams own. */
const ASK_INTERVAL_MS = 1_000;

/**
 * Notices projects that appear while readers are connected. A batch of a project that nobody asked about yet
 * makes it ask, at most once a second, which readers reach it; they get its events from the first one on.
 */
export class NewProjects {
  private readonly logger = new Logger(NewProjects.name);
  /** Projects of which every present reader knows whether it reaches them. */
  private readonly settled = new Set<string>();
  /** First position seen of the others. */
  private readonly waiting = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private settledCount = 0;
  private connecting = 0;

  constructor(
    private readonly projects: ReadableProjects,
    private readonly readers: ReadonlySet<ProjectReader>,
  ) {}

  /**
   * Makes a reader with every project that its principal reaches. `make` adds it to the readers at once, so
   * that no project can appear unnoticed in between.
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

  /** Hears every batch. */
  notice({ projectId, position }: Batch): void {
    if (this.settled.has(projectId) || (this.readers.size === 0 && this.connecting === 0)) return;
    const first = this.waiting.get(projectId) ?? Number.POSITIVE_INFINITY;
    this.waiting.set(projectId, Math.min(first, position));
    // The first question is asked at once, the next one a second later.
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

  /** Asks until every team with a reader was asked; nothing is awaited after the last look at the readers. */
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
