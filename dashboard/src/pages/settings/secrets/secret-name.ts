import { texts } from '../../../texts/en/settings-secrets.ts';
/** As the service has it; it checks again. */
const MAX_LENGTH = 64;
const NAME = /^[A-Z][A-Z0-9_]*$/;

/** The expression by which a node reads a secret. */
export function expressionOf(name: string): string {
  return `{{ secrets.${name} }}`;
}

/** What is wrong with the name of a secret and what to do; undefined if nothing is, or nothing was typed yet. */
export function nameFault(name: string): string | undefined {
  if (name === '') return undefined;
  if (name.length > MAX_LENGTH) return texts.nameTooLong(MAX_LENGTH);
  if (NAME.test(name)) return undefined;
  const suggestion = suggestedName(name);
  const rule = texts.nameRule;
  return suggestion === '' ? `${rule}.` : texts.forExample(rule, suggestion);
}

/** The valid name that is closest to a text; empty if the text has no letter of A to Z. */
function suggestedName(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]+/g, '_')
    .replace(/^[^A-Z]+/, '')
    .replace(/_+$/, '');
}
