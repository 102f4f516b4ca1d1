import type { Write } from '../platform/index.js';

/** What a new team begins with. A port, since projects stand above teams: that room binds it. */
export abstract class NewTeamContents {
  /** Writes for the commit that makes the team. */
  abstract writes(teamId: string): readonly Write[];
}
