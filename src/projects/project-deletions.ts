import { Injectable } from '@nestjs/common';

/** What is to be done for a project that was deleted. */
type Ending = (projectId: string) => Promise<void>;

/** Tells who stands above projects that one is gone. */
@Injectable()
export class ProjectDeletions {
  private readonly endings: Ending[] = [];

  listen(ending: Ending): void {
    this.endings.push(ending);
  }

  async tell(projectId: string): Promise<void> {
    for (const ending of this.endings) await ending(projectId);
  }
}
