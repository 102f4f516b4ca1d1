import { Injectable } from '@nestjs/common';

/** What a room above projects keeps in them. */
export interface ProjectContents {
  /** Executions in the project that have not ended. */
  countUnfinished(projectId: string): Promise<number>;

  /** Ends what the project holds, once it is deleted. */
  end(projectId: string): Promise<void>;
}

/** Asks the rooms above projects about a project that is about to be deleted, and tells them once it is. */
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

  async end(projectId: string): Promise<void> {
    for (const one of this.contents) await one.end(projectId);
  }
}
