/** Generates the settings page of the docs site from `.env.example`. */
import { code, table } from './json-schema.ts';

/**
 * @param example text of `.env.example`
 */
export function settingsPage(example: string): string {
  const rows: (readonly string[])[] = [];
  let comment: string[] = [];
  for (const line of example.split('\n')) {
    const setting = /^#([A-Z][A-Z0-9_]*)=(.*)$/.exec(line);
    if (setting !== null) {
      const [, name = '', standard = ''] = setting;
      rows.push([code(name), standard === '' ? '' : code(standard), escaped(comment.join(' '))]);
      comment = [];
    } else if (line.startsWith('# ')) comment.push(line.slice(2));
    else comment = [];
  }
  return `# Settings

This page lists every setting with its default. Settings come from environment variables, or from a file \`.env\` in the
working directory. Environment variables take precedence. The service checks all settings when it starts and lists all
errors together. \`npm run --silent cli -- config\` prints the values in use.

${table(['setting', 'default', 'meaning'], rows)}
`;
}

/** Escapes `<`, `*` and `_`, because Markdown would interpret them as markup. */
function escaped(text: string): string {
  return text.replaceAll(/[<*_]/g, (letter) => `\\${letter}`);
}
