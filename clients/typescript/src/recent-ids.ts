/** Keeps the ids of the most recent events to detect duplicates. Drops older ids. */
export class RecentIds {
  private readonly ids = new Set<string>();

  private readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Adds an id. @returns true if the id was not among the recent ones */
  add(id: string): boolean {
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    if (this.ids.size > this.capacity) {
      const [oldest] = this.ids;
      if (oldest !== undefined) this.ids.delete(oldest);
    }
    return true;
  }
}
