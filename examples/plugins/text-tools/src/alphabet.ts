import { Injectable } from 'workflow-service/node';

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['ø', 'oe'],
  ['å', 'aa'],
]);

/** Letters of other alphabets in those of English. */
@Injectable()
export class Alphabet {
  /** @param text in small letters */
  spell(text: string): string {
    return text
      .normalize('NFC')
      .replace(/\p{Letter}/gu, (letter) => SPELLINGS.get(letter) ?? letter)
      .normalize('NFD')
      .replace(/\p{Mark}/gu, '');
  }
}
