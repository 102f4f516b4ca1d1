export abstract class DiskReclaimer {
  /**
   * Returns a part of the free space to the disk. A call takes about as long as a commit.
   *
   * @returns number of bytes that can still be returned; 0 also if the database keeps free space for later writes
   */
  abstract vacuum(): Promise<number>;
}

/** Does nothing, because PostgreSQL reclaims space by itself. */
export class NoDiskReclaimer extends DiskReclaimer {
  vacuum(): Promise<number> {
    return Promise.resolve(0);
  }
}
