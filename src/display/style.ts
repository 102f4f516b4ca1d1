/** Display capabilities of a terminal. */
export interface Style {
  readonly unicode: boolean;
  readonly colour: boolean;
}

export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'grey' | 'bold';

const CODES: Readonly<Record<Colour, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  grey: 90,
  bold: 1,
};

/** @param isTerminal whether stdout is one */
export function styleOf(
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): Style {
  const isDumb = environment['TERM'] === 'dumb';
  // https://no-color.org: set and not empty.
  const refused = (environment['NO_COLOR'] ?? '') !== '';
  return { unicode: !isDumb, colour: isTerminal && !isDumb && !refused };
}

export function paint({ colour }: Style, how: Colour, text: string): string {
  return colour && text !== '' ? `\u001b[${CODES[how]}m${text}\u001b[0m` : text;
}
