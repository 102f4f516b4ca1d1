/** `npm run language`: fails if a comment, test name, message or document contains a phrase from `phrases.ts`. */
import { FORBIDDEN_PHRASES } from './phrases.ts';
import { projectTexts } from './project-texts.ts';

const findings = projectTexts().flatMap(({ file, line, text }) =>
  FORBIDDEN_PHRASES.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(text.replaceAll(/`[^`]*`/g, ''))?.[0];
    return found === undefined ? [] : [`${file}:${line}: "${found}": say ${instead}.`];
  }),
);
for (const finding of findings) process.stdout.write(`${finding}\n`);
process.stdout.write(
  findings.length === 0 ? 'No forbidden phrase.\n' : `${findings.length} forbidden phrases.\n`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
