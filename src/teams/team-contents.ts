import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { DeletionEffect, Write } from '../storage/index.js';

/** Port to the modules that store data of teams. */
export interface TeamContentsAdapter {
  /** Writes that create the initial contents of a new team, for the team's commit. */
  writes(teamId: string): readonly Write[];

  countUnfinished(teamId: string): Promise<number>;

  deletion(teamId: string): Promise<DeletionEffect>;
}

@Injectable()
export class TeamContents extends Port<TeamContentsAdapter> {}
