export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const element of Object.values(value)) if (isDeeperThan(element, levels - 1)) return true;
  return false;
}
