import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { DeletionEffect, Write } from '../storage/index.js';

/** What is in a team. */
export interface TeamContentsAdapter {
  /** What a new team begins with: writes for the commit that makes it. */
  writes(teamId: string): readonly Write[];

  /** Executions in the team that have not ended. */
  countUnfinished(teamId: string): Promise<number>;

  /** What the deletion of a team does to what is in it: nothing goes on. */
  deletion(teamId: string): Promise<DeletionEffect>;
}

@Injectable()
export class TeamContents extends Port<TeamContentsAdapter> {}
