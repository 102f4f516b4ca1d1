import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { DeletionEffect, Write } from '../storage/index.js';

/** Port through which the module `teams` creates, counts and deletes the data of a team, such as its projects. */
export interface TeamContentsAdapter {
  /**
   * Returns the writes that create the first project of a new team. The caller commits the project and the team
   * together.
   */
  writes(teamId: string): readonly Write[];

  countUnfinished(teamId: string): Promise<number>;

  deletion(teamId: string): Promise<DeletionEffect>;
}

@Injectable()
export class TeamContents extends Port<TeamContentsAdapter> {}
