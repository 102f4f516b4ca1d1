import type { DeletionEffect, Write } from '../storage/index.js';

/** What is in a team. A port, since projects stand above teams: that room binds it. */
export abstract class TeamContents {
  /** What a new team begins with: writes for the commit that makes it. */
  abstract writes(teamId: string): readonly Write[];

  /** Executions in the team that have not ended. */
  abstract countUnfinished(teamId: string): Promise<number>;

  /** What the deletion of a team does to what is in it: nothing goes on. */
  abstract deletion(teamId: string): Promise<DeletionEffect>;
}
