/** Room in the database that what was removed has left. */
export abstract class FreedSpace {
  /**
   * Gives some of it back to the disk, in the time of a commit.
   * @returns bytes that are left to give back; 0 where the database keeps them for what is written next
   */
  abstract giveBack(): Promise<number>;
}

/** PostgreSQL sees to it by itself. */
export class NoFreedSpace extends FreedSpace {
  giveBack(): Promise<number> {
    return Promise.resolve(0);
  }
}
