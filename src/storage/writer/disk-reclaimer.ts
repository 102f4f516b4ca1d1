export abstract class DiskReclaimer {
  /**
   * Returns a part of the database's free space to the file system. A call takes about as long as a commit.
   *
   * @returns number of bytes that further calls can free; 0 also if the database keeps free space for later writes
   */
  abstract vacuum(): Promise<number>;
}

/** Does nothing, because PostgreSQL reclaims free space by itself. */
export class NoDiskReclaimer extends DiskReclaimer {
  vacuum(): Promise<number> {
    return Promise.resolve(0);
  }
}
