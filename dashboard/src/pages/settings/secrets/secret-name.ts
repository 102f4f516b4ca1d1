import { texts } from '../../../texts/en/settings-secrets.ts';
/** Maximum length and pattern of the name of a secret. The service checks names by the same rules. */
const MAX_LENGTH = 64;
const NAME = /^[A-Z][A-Z0-9_]*$/;

export function expressionOf(name: string): string {
  return `{{ secrets.${name} }}`;
}

/** Error message for the name of a secret; undefined if the name is valid or empty. */
export function nameFault(name: string): string | undefined {
  if (name === '') return undefined;
  if (name.length > MAX_LENGTH) return texts.nameTooLong(MAX_LENGTH);
  if (NAME.test(name)) return undefined;
  const suggestion = suggestedName(name);
  const rule = texts.nameRule;
  return suggestion === '' ? `${rule}.` : texts.forExample(rule, suggestion);
}

/**
 * Suggests a valid name for a secret that is similar to a text. The name is empty if the text has no letter from A to
 * Z.
 */
function suggestedName(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]+/g, '_')
    .replace(/^[^A-Z]+/, '')
    .replace(/_+$/, '');
}
