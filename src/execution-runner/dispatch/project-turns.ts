/** A runnable execution that a claim may choose. */
export interface Candidate {
  readonly id: string;
  readonly projectId: string;
  readonly priority: number;
}

/**
 * Maximum number of projects whose last turn is stored. A project that is dropped from the store counts as never
 * served, so its next turn comes slightly early.
 */
const MAX_REMEMBERED = 10_000;

/** The zero UUID, which sorts before every other id. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

interface Waiting {
  readonly projectId: string;
  /** Runnable executions of the project, by descending priority. */
  readonly candidates: readonly Candidate[];
  next: number;
}

/**
 * Distributes claims fairly between projects. The next turn goes to the project whose last turn was longest ago, so a
 * project with thousands of executions delays only itself. Within a project, executions with a higher priority come
 * first. Priorities of different projects are compared only if neither project has had a turn.
 */
export class ProjectTurns {
  /**
   * Number of each project's last turn; a higher number is more recent. The project whose last turn was
   * longest ago is the first key of the map.
   */
  private readonly last = new Map<string, number>();
  private turns = 0;
  private lookedUpAt = BEFORE_ALL;

  /**
   * Id of the last project in the result of the previous query for due executions. The next query starts after this
   * project.
   */
  get lookedUpTo(): string {
    return this.lookedUpAt;
  }

  /**
   * Records the last project in the result of a query for due executions.
   *
   * @param projectId undefined makes the next query start with the first project
   */
  lookedUp(projectId: string | undefined): void {
    this.lookedUpAt = projectId ?? BEFORE_ALL;
  }

  /**
   * Chooses up to `limit` candidates, so that their projects take turns. Candidates with the same project and priority
   * must be sorted by waiting time, longest first.
   *
   * @returns ids in the order in which the executions should start
   */
  choose(candidates: readonly Candidate[], limit: number): readonly string[] {
    const projects = waitingProjects(candidates);
    const chosen: string[] = [];
    while (chosen.length < limit) {
      const project = this.first(projects);
      const candidate = project?.candidates[project.next];
      if (project === undefined || candidate === undefined) break;
      project.next += 1;
      chosen.push(candidate.id);
      this.remember(project.projectId);
    }
    return chosen;
  }

  private first(projects: readonly Waiting[]): Waiting | undefined {
    let best: Waiting | undefined;
    for (const project of projects)
      if (project.next < project.candidates.length && (best === undefined || this.isBefore(project, best)))
        best = project;
    return best;
  }

  private isBefore(one: Waiting, other: Waiting): boolean {
    const [a, b] = [this.last.get(one.projectId) ?? 0, this.last.get(other.projectId) ?? 0];
    return a === b ? urgency(one) > urgency(other) : a < b;
  }

  private remember(projectId: string): void {
    this.turns += 1;
    this.last.delete(projectId);
    this.last.set(projectId, this.turns);
    if (this.last.size <= MAX_REMEMBERED) return;
    const [oldest] = this.last.keys();
    if (oldest !== undefined) this.last.delete(oldest);
  }
}

function waitingProjects(candidates: readonly Candidate[]): readonly Waiting[] {
  const unique = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  const projects = Map.groupBy(unique.values(), ({ projectId }) => projectId);
  return [...projects].map(([projectId, own]) => ({
    projectId,
    candidates: own.toSorted((a, b) => b.priority - a.priority),
    next: 0,
  }));
}

function urgency({ candidates, next }: Waiting): number {
  return candidates[next]?.priority ?? 0;
}
