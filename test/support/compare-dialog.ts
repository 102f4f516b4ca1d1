import type { Locator, Page } from 'playwright-core';

/** The dialog in which users choose the second execution of a comparison. */
export class CompareDialog {
  readonly dialog: Locator;
  readonly search: Locator;
  readonly choices: Locator;

  constructor(private readonly page: Page) {
    this.dialog = page.getByRole('dialog', { name: 'Compare with another execution', exact: true });
    this.search = this.dialog.getByRole('searchbox', { name: 'ID or words', exact: true });
    this.choices = this.dialog.getByRole('list', { name: 'Executions of the workflow' }).getByRole('link');
  }

  get opener(): Locator {
    return this.page.getByRole('button', { name: 'Compare with…', exact: true });
  }
}
