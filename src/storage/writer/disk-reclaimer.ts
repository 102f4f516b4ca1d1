/** Returns the space of deleted rows to the disk. */
export abstract class DiskReclaimer {
  /**
   * Returns a part of the free space to the disk, in about the time of a commit.
   * @returns number of bytes that remain to be returned; 0 also if the database keeps them for later writes
   */
  abstract vacuum(): Promise<number>;
}

/** For PostgreSQL, which reclaims space by itself. */
export class NoDiskReclaimer extends DiskReclaimer {
  vacuum(): Promise<number> {
    return Promise.resolve(0);
  }
}
