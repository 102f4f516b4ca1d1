/** A queue that serves its owners round-robin, regardless of how many items each owner has. */
export class FairQueue<T> {
  private readonly waiting = new Map<string, T[]>();

  get size(): number {
    return [...this.waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  push(owner: string, item: T): void {
    const own = this.waiting.get(owner);
    if (own === undefined) this.waiting.set(owner, [item]);
    else own.push(item);
  }

  shift(): T | undefined {
    for (const [owner, items] of this.waiting) {
      const item = items.shift();
      // The owner that was just served, with its remaining items, moves to the end of the queue.
      this.waiting.delete(owner);
      if (items.length > 0) this.waiting.set(owner, items);
      return item;
    }
    return undefined;
  }

  remove(owner: string, item: T): void {
    const rest = this.waiting.get(owner)?.filter((other) => other !== item) ?? [];
    if (rest.length > 0) this.waiting.set(owner, rest);
    else this.waiting.delete(owner);
  }
}
