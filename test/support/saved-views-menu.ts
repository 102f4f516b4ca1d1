import type { Locator, Page } from 'playwright-core';

/** The menu of saved views above the list of executions. */
export class SavedViewsMenu {
  constructor(private readonly page: Page) {}

  /** The button of the menu: `Views`, or the name of the view that the list shows. */
  opener(name = 'Views'): Locator {
    return this.page.getByRole('search').getByRole('button', { name, exact: true });
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
