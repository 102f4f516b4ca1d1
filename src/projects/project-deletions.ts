import { Injectable } from '@nestjs/common';
import type { DeletionEffect } from '../storage/index.js';

/**
 * Port that each higher module implements if it stores data in projects, so that the data can be counted and deleted
 * with the project.
 */
export interface ProjectContents {
  countUnfinished(projectId: string): Promise<number>;

  /**
   * Returns the writes that stop all activity in the project, and the work to start after the commit of these writes.
   */
  deletion(projectId: string): DeletionEffect;
}

/**
 * Collects the `ProjectContents` of all higher modules, and counts and deletes the contents of projects through them.
 */
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
