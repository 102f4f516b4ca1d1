import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { DeletionEffect, Write } from '../storage/index.js';

/** Port to the modules that store data of teams, such as projects. */
export interface TeamContentsAdapter {
  /**
   * Returns writes that create the initial contents of a new team. The caller commits these writes together with the
   * team.
   */
  writes(teamId: string): readonly Write[];

  countUnfinished(teamId: string): Promise<number>;

  deletion(teamId: string): Promise<DeletionEffect>;
}

@Injectable()
export class TeamContents extends Port<TeamContentsAdapter> {}
