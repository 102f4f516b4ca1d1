import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A contrast of 7:1 (WCAG AAA). Required only if the user asks for more contrast. */
const ENHANCED_CONTRAST = 'color-contrast-enhanced';

/**
 * The violations of all accessibility rules of axe, including best practices, experimental and deprecated rules. One
 * line each: rule, element and reason.
 */
export function violationsOf(page: Page): Promise<readonly string[]> {
  const isEnabled = `ruleId !== ${JSON.stringify(ENHANCED_CONTRAST)}`;
  return axe(
    page,
    `{ rules: Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: ${isEnabled} }])) }`,
  );
}

/** Texts with a contrast of less than 7:1 while the user asks for more contrast. */
export async function lowContrastsOf(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ contrast: 'more' });
  const found = await axe(page, `{ runOnly: ${JSON.stringify([ENHANCED_CONTRAST])} }`);
  await page.emulateMedia({ contrast: null });
  return found;
}

/** Elements that must not scroll horizontally, but do. */
export async function overflowOf(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(
    `[document.documentElement, ...document.querySelectorAll('main')]
       .filter((element) => element.scrollWidth > element.clientWidth)
       .map(({ tagName, scrollWidth, clientWidth }) => tagName + ': ' + scrollWidth + ' of ' + clientWidth + ' px')`,
  );
}

/** Elements that Radix puts around an open dialog or menu. They have no content, and pass on the focus immediately. */
const FOCUS_GUARDS = '[data-radix-focus-guard]';

async function axe(page: Page, options: string): Promise<readonly string[]> {
  // Injects axe through the debugger, which no content security policy blocks.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run({ exclude: [${JSON.stringify(FOCUS_GUARDS)}] }, { ...${options}, resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
