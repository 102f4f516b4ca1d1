import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { DeletionEffect, Write } from '../storage/index.js';

/** Port: the contents of teams. */
export interface TeamContentsAdapter {
  /** Initial contents of a new team: writes for the commit that creates it. */
  writes(teamId: string): readonly Write[];

  /** Unfinished executions of the team. */
  countUnfinished(teamId: string): Promise<number>;

  /** Writes that stop everything in a deleted team. */
  deletion(teamId: string): Promise<DeletionEffect>;
}

@Injectable()
export class TeamContents extends Port<TeamContentsAdapter> {}
