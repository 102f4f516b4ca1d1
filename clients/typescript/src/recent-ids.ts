/** The last so many ids, for telling events that come twice; older ones are forgotten. */
export class RecentIds {
  private readonly ids = new Set<string>();

  private readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** @returns whether the id was not among the recent ones, which it is from now on */
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
