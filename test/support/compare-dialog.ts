import type { Locator, Page } from 'playwright-core';

/** The dashboard dialog in which a user chooses a second execution to compare with the first one. */
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
