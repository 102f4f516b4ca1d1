import { Injectable } from '@nestjs/common';
import type { DeletionEffect } from '../storage/index.js';

/** Port that a higher module implements if it stores data in projects. */
export interface ProjectContents {
  countUnfinished(projectId: string): Promise<number>;

  /** Returns the writes that stop all activity in the project, and the work that follows their commit. */
  deletion(projectId: string): DeletionEffect;
}

/** Combines the contents of projects from all higher modules that store data in projects. */
@Injectable()
export class ProjectDeletions {
  private readonly contents: ProjectContents[] = [];

  register(contents: ProjectContents): void {
    this.contents.push(contents);
  }

  async countUnfinished(projectId: string): Promise<number> {
    const counts = await Promise.all(this.contents.map((one) => one.countUnfinished(projectId)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  effectOf(projectIds: readonly string[]): DeletionEffect {
    const effects = projectIds.flatMap((id) => this.contents.map((one) => one.deletion(id)));
    return {
      writes: effects.flatMap(({ writes }) => writes),
      begin: async () => {
        await Promise.all(effects.map(({ begin }) => begin()));
      },
    };
  }
}
