import { texts } from '../texts/en/format.ts';

const numbers = new Intl.NumberFormat(texts.locale);

const percents = new Intl.NumberFormat(texts.locale, { style: 'percent', maximumFractionDigits: 1 });

/** Formats a fraction from 0 to 1: `95.2%`. */
export function percent(share: number): string {
  return percents.format(share);
}

/** Formats a number with thousands separators: `12,480`. */
export function number(value: number): string {
  return numbers.format(value);
}

/** A number and its noun: `1 run`, `12 runs`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}
