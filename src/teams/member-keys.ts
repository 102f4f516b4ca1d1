import type { Write } from '../storage/index.js';

/** What teams ask about the keys of their members. A port, since keys stand above teams: that room binds it. */
export abstract class MemberKeys {
  /**
   * Ends every key that a person has in a team, for the commit by which the person leaves: were they only held
   * back, they would work again once the person returns.
   */
  abstract end(teamId: string, userId: string): readonly Write[];
}
