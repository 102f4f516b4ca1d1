/** A runnable execution. */
export interface Candidate {
  readonly id: string;
  readonly projectId: string;
  readonly priority: number;
}

/**
 * Maximum number of projects whose last turn is stored. A project that is no longer stored gets its next turn slightly
 * early.
 */
const MAX_REMEMBERED = 10_000;

/** An id that sorts before every other id, whether ids are compared as text or as UUIDs. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

interface Waiting {
  readonly projectId: string;
  /** Runnable executions of the project, the most urgent first. */
  readonly candidates: readonly Candidate[];
  next: number;
}

/**
 * Distributes claims fairly between projects. The project whose last turn is the longest ago is next, so a project with
 * thousands of executions delays only itself. Priorities order the executions of one project. Between projects, a
 * priority only breaks a tie.
 */
export class ProjectTurns {
  /** Number of the last turn of each project, the oldest turn first. */
  private readonly last = new Map<string, number>();
  private turns = 0;
  private lookedUpAt = BEFORE_ALL;

  /** Id of the last project that the previous query returned. The next query starts after this project. */
  get lookedUpTo(): string {
    return this.lookedUpAt;
  }

  /**
   * Records the last project of a query.
   * @param projectId undefined if the next query should start with the first project
   */
  lookedUp(projectId: string | undefined): void {
    this.lookedUpAt = projectId ?? BEFORE_ALL;
  }

  /**
   * Chooses up to `limit` candidates by the turns of their projects. Candidates of one project must be sorted by
   * waiting time, the longest first.
   * @returns ids in the order in which they should run
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
