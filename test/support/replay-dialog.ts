import type { Locator, Page } from 'playwright-core';

/** The dialog of the execution page that replays an execution. */
export class ReplayDialog {
  readonly dialog: Locator;
  readonly version: Locator;
  readonly input: Locator;

  constructor(private readonly page: Page) {
    this.dialog = page.getByRole('dialog', { name: 'Replay this execution', exact: true });
    this.version = this.dialog.getByRole('combobox', { name: 'Version', exact: true });
    this.input = this.dialog.getByRole('textbox', { name: 'Input (JSON)', exact: true });
  }

  /** The button on the execution page that opens the replay dialog. */
  get opener(): Locator {
    return this.page.getByRole('main').getByRole('button', { name: /^Replay/ });
  }

  button(name: string): Locator {
    return this.dialog.getByRole('button', { name, exact: true });
  }

  /** Selects the whole text of the focused editor and replaces it. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(text);
  }
}
