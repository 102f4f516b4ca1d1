import { InvalidArgumentError } from 'commander';

export interface ModuleName {
  /** Plural noun, from which the names of the package, the table and the routes are made. */
  readonly plural: string;
  readonly singular: string;
}

const NOUN = /^[a-z]{2,40}$/;

/** @throws InvalidArgumentError unless the word is an English plural in lower case that ends with s */
export function readModuleName(word: string): ModuleName {
  if (!NOUN.test(word) || !/[^s]s$/.test(word))
    throw new InvalidArgumentError('The name must be a plural noun in lower-case letters, such as invoices.');
  return { plural: word, singular: singularOf(word) };
}

function singularOf(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x)es$/.test(plural)) return plural.slice(0, -2);
  return plural.slice(0, -1);
}
