export interface Project {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const MAX_PROJECT_NAME_LENGTH = 255;
