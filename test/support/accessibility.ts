import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Rule of axe that requires a contrast of 7:1 (WCAG AAA). Pages must meet it only if the user prefers more contrast.
 */
const ENHANCED_CONTRAST = 'color-contrast-enhanced';

/**
 * Returns the violations of all axe rules on a page, except enhanced contrast. One line per violation: rule, element
 * and reason.
 */
export function violationsOf(page: Page): Promise<readonly string[]> {
  const isEnabled = `ruleId !== ${JSON.stringify(ENHANCED_CONTRAST)}`;
  return axe(
    page,
    `{ rules: Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: ${isEnabled} }])) }`,
  );
}

/** Returns the texts of a page that have a contrast below 7:1 although the user prefers more contrast. */
export async function lowContrastsOf(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ contrast: 'more' });
  const found = await axe(page, `{ runOnly: ${JSON.stringify([ENHANCED_CONTRAST])} }`);
  await page.emulateMedia({ contrast: null });
  return found;
}

/** Returns the elements that scroll horizontally: the document or its main part. */
export async function overflowOf(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(
    `[document.documentElement, ...document.querySelectorAll('main')]
       .filter((element) => element.scrollWidth > element.clientWidth)
       .map(({ tagName, scrollWidth, clientWidth }) => tagName + ': ' + scrollWidth + ' of ' + clientWidth + ' px')`,
  );
}

/**
 * Empty elements that the library Radix puts around an open dialog or menu. axe would report that they can be focused.
 */
const FOCUS_GUARDS = '[data-radix-focus-guard]';

async function axe(page: Page, options: string): Promise<readonly string[]> {
  // The script is evaluated by the debugger, because a content security policy could block a script element.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run({ exclude: [${JSON.stringify(FOCUS_GUARDS)}] }, { ...${options}, resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
