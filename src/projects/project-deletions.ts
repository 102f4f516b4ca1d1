import { Injectable } from '@nestjs/common';
import type { DeletionEffect } from '../storage/index.js';

/** Port to a higher module that stores data in projects. */
export interface ProjectContents {
  countUnfinished(projectId: string): Promise<number>;

  /** Writes that stop everything in the project. */
  deletion(projectId: string): DeletionEffect;
}

/** Calls the connected higher modules when a project is deleted. */
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
