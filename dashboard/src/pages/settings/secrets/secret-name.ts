import { texts } from '../../../texts/en/settings-secrets.ts';
/** The same pattern as in the service, which checks names again. */
const MAX_LENGTH = 64;
const NAME = /^[A-Z][A-Z0-9_]*$/;

export function expressionOf(name: string): string {
  return `{{ secrets.${name} }}`;
}

/** What is wrong with the name of a secret, or undefined. An empty name has no error. */
export function nameFault(name: string): string | undefined {
  if (name === '') return undefined;
  if (name.length > MAX_LENGTH) return texts.nameTooLong(MAX_LENGTH);
  if (NAME.test(name)) return undefined;
  const suggestion = suggestedName(name);
  const rule = texts.nameRule;
  return suggestion === '' ? `${rule}.` : texts.forExample(rule, suggestion);
}

/** The closest valid name; empty if the text has no letter from A to Z. */
function suggestedName(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]+/g, '_')
    .replace(/^[^A-Z]+/, '')
    .replace(/_+$/, '');
}
