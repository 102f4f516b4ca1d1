import { Injectable } from '@nestjs/common';
import type { DeletionEffect } from '../storage/index.js';

/**
 * Port that modules implement if they store data in projects. Through this port, the data is counted, and
 * deleted with its project.
 */
export interface ProjectContents {
  countUnfinished(projectId: string): Promise<number>;

  /**
   * Returns the writes that stop all activity in the project, and the work to start after the commit of these writes.
   */
  deletion(projectId: string): DeletionEffect;
}

/**
 * Counts and deletes the contents of projects, through the `ProjectContents` of all modules that store data
 * in projects.
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
