import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Limit of presses of Tab. No page has as many elements that can be focused. */
const MAX_TABS = 120;

/** Operates a dashboard page with the keyboard only. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /** Presses Tab until an element has the focus. @throws Error if 120 presses do not reach the element */
  async reach(target: Locator): Promise<void> {
    await target.waitFor();
    for (let presses = 0; presses <= MAX_TABS; presses += 1) {
      if (await hasFocus(target)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab did not move the focus to ${String(target)} within ${MAX_TABS} presses.`);
  }

  /** Moves the focus to an element with Tab, and presses a key. */
  async press(target: Locator, key = 'Enter'): Promise<void> {
    await this.reach(target);
    await this.page.keyboard.press(key);
  }

  /** Replaces the text of an input field. */
  async write(field: Locator, text: string): Promise<void> {
    await this.press(field, 'Control+a');
    await this.page.keyboard.type(text);
    expect(await field.inputValue()).toBe(text);
  }

  /** Selects an option of a drop-down list by typing the label of the option. */
  async choose(select: Locator, option: string): Promise<void> {
    await this.reach(select);
    await this.page.keyboard.type(option);
    expect(await select.locator('option:checked').textContent()).toBe(option);
  }

  /** Waits until an element has the focus, without pressing a key. */
  async isOn(target: Locator): Promise<void> {
    await expect.poll(() => hasFocus(target), { message: `focus on ${String(target)}` }).toBe(true);
  }
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === element.ownerDocument.activeElement);
}
