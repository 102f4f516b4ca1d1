import { texts } from '../texts/en/format.ts';

const numbers = new Intl.NumberFormat(texts.locale);

const percents = new Intl.NumberFormat(texts.locale, { style: 'percent', maximumFractionDigits: 1 });

export function percent(share: number): string {
  return percents.format(share);
}

export function number(value: number): string {
  return numbers.format(value);
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}
