import { Injectable } from '@nestjs/common';
import type { DeletionEffect } from '../storage/index.js';

/** What a room above projects keeps in them. */
export interface ProjectContents {
  /** Executions in the project that have not ended. */
  countUnfinished(projectId: string): Promise<number>;

  /** Ends what the project holds. */
  deletion(projectId: string): DeletionEffect;
}

/** Asks the rooms above projects about projects that are about to be deleted. */
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
