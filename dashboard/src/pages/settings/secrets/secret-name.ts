import { texts } from '../../../texts/en/settings-secrets.ts';
/** Pattern of names, the same as in the service. The service checks names again. */
const MAX_LENGTH = 64;
const NAME = /^[A-Z][A-Z0-9_]*$/;

/** The expression by which a node reads a secret. */
export function expressionOf(name: string): string {
  return `{{ secrets.${name} }}`;
}

/** The error in the name of a secret and how to fix it; undefined if the name is valid or empty. */
export function nameFault(name: string): string | undefined {
  if (name === '') return undefined;
  if (name.length > MAX_LENGTH) return texts.nameTooLong(MAX_LENGTH);
  if (NAME.test(name)) return undefined;
  const suggestion = suggestedName(name);
  const rule = texts.nameRule;
  return suggestion === '' ? `${rule}.` : texts.forExample(rule, suggestion);
}

/** The valid name that is closest to a text; empty if the text has no letter from A to Z. */
function suggestedName(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]+/g, '_')
    .replace(/^[^A-Z]+/, '')
    .replace(/_+$/, '');
}
