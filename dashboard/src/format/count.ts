const numbers = new Intl.NumberFormat('en');

/** A number with its thousands apart: `12,480`. */
export function number(value: number): string {
  return numbers.format(value);
}

/** A number and what it counts: `1 run`, `12 runs`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}
