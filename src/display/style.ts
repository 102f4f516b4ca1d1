export interface Style {
  readonly unicode: boolean;
  readonly color: boolean;
}

export type Color = 'red' | 'green' | 'yellow' | 'blue' | 'grey' | 'bold';

const CODES: Readonly<Record<Color, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  grey: 90,
  bold: 1,
};

/** @param isTerminal whether standard output is a terminal */
export function styleOf(
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): Style {
  const isDumb = environment['TERM'] === 'dumb';
  // Color is disabled if the environment variable `NO_COLOR` is set and not empty, see https://no-color.org.
  const refused = (environment['NO_COLOR'] ?? '') !== '';
  return { unicode: !isDumb, color: isTerminal && !isDumb && !refused };
}

export function paint({ color }: Style, how: Color, text: string): string {
  return color && text !== '' ? `\u001b[${CODES[how]}m${text}\u001b[0m` : text;
}
