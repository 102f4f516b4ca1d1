/** Holds a team's workflows, sessions and secrets. */
export interface Project {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Maximum length of a project's name. */
export const MAX_PROJECT_NAME_LENGTH = 255;
