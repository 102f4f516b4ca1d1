import type { Locator, Page } from 'playwright-core';

/** The menu of saved views above the list of executions in the dashboard. */
export class SavedViewsMenu {
  constructor(private readonly page: Page) {}

  /** The button that opens the menu. Its label is `Views`, or the name of the selected view. */
  opener(name = 'Views'): Locator {
    return this.page.getByRole('main').getByRole('button', { name, exact: true });
  }

  item(name: string): Locator {
    return this.page.getByRole('menuitem', { name, exact: true });
  }

  view(name: string): Locator {
    return this.page.getByRole('menuitemcheckbox', { name, exact: true });
  }

  dialog(title: string): Locator {
    return this.page.getByRole('dialog', { name: title, exact: true });
  }

  nameIn(dialog: Locator): Locator {
    return dialog.getByRole('textbox', { name: 'Name', exact: true });
  }
}
