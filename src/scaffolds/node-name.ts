import { InvalidArgumentError } from 'commander';

export interface NodeName {
  /** Name of the node type in workflow definitions, such as `acme.shout`. */
  readonly type: string;
  readonly file: string;
  readonly pascal: string;
  readonly title: string;
}

const NAME = /^[a-z][a-z0-9]*(?:[._-][a-z][a-z0-9]*)*$/;
const LONGEST = 64;

/** @throws InvalidArgumentError */
export function readNodeName(text: string): NodeName {
  if (!NAME.test(text) || text.length > LONGEST)
    throw new InvalidArgumentError(
      `The name of a node type must consist of lower-case letters and digits, separated by ".", "_" or "-", with at most ${LONGEST} characters.`,
    );
  const words = text.split(/[._-]/);
  const spaced = words.join(' ');
  return {
    type: text,
    file: words.join('-'),
    pascal: words.map(capitalized).join(''),
    title: capitalized(spaced),
  };
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
