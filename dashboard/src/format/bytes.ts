const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;

/** Formats a number of bytes: `512 B`, `1.5 KiB`, `20 MiB`. */
export function bytes(count: number): string {
  let size = count;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || size >= 10 ? 0 : 1;
  return `${size.toFixed(digits)} ${UNITS[unit]}`;
}
