/** A runnable execution. */
export interface Candidate {
  readonly id: string;
  readonly projectId: string;
  readonly priority: number;
}

/** Maximum number of projects whose last turn is remembered. A forgotten project gets its next turn slightly early. */
const MAX_REMEMBERED = 10_000;

/** Sorts before every id, both as text and as a UUID. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

interface Waiting {
  readonly projectId: string;
  /** Most urgent first. */
  readonly candidates: readonly Candidate[];
  next: number;
}

/**
 * Fair scheduling between projects: the project that has waited longest goes first, so a project with thousands of
 * executions delays only itself. Priorities order the executions of one project; between projects they only break ties.
 */
export class ProjectTurns {
  /** Number of the last turn by project, oldest first. */
  private readonly last = new Map<string, number>();
  private turns = 0;
  private lookedUpAt = BEFORE_ALL;

  /** Id of the project after which the next lookup begins. */
  get lookedUpTo(): string {
    return this.lookedUpAt;
  }

  /** @param projectId the last project looked up; undefined to begin again with the first */
  lookedUp(projectId: string | undefined): void {
    this.lookedUpAt = projectId ?? BEFORE_ALL;
  }

  /**
   * Chooses up to `limit` candidates by turns. Candidates of a project must be in waiting order, longest first.
   * @returns ids in order
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
