import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inputShape, draftOf, readDraft } from '../../dashboard/src/ui/input-shape.js';
import { placeOf } from '../../dashboard/src/editor/json-place.js';
import { diffCounts, lineDiff } from '../../dashboard/src/pages/workflow/line-diff.js';
import { type DashboardPage, TestDashboard } from '../support/dashboard.js';

describe('lineDiff', () => {
  it('`lineDiff` marks each line as same, removed or added', () => {
    const diff = lineDiff('a\nb\nc\nd', 'a\nx\nc\nd\ne');
    expect(diff.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'same a',
      'removed b',
      'added x',
      'same c',
      'same d',
      'added e',
    ]);
    expect(diffCounts(diff)).toEqual({ added: 2, removed: 1 });
  });

  it.each([
    ['', 'a'],
    ['a\na\nb', 'a\nb\na'],
    ['x\ny', 'y\nx\ny\nx'],
    ['same', 'same'],
  ])('both compared texts can be restored from the result of `lineDiff`: %j and %j', (before, after) => {
    const diff = lineDiff(before, after);
    const side = (left: string) =>
      diff
        .filter(({ kind }) => kind === 'same' || kind === left)
        .map(({ text }) => text)
        .join('\n');
    expect(side('removed')).toBe(before);
    expect(side('added')).toBe(after);
  });
});

describe('placeOf', () => {
  const text = '{ "nodes": [{ "id": "a" }, { "id": "b", "with": { "url": "x\\"]}" } }] }';
  it.each([
    ['nodes[1].with.url', '"x\\"]}"'],
    ['nodes[0].id', '"a"'],
    ['nodes[1].needs', '{ "id": "b", "with": { "url": "x\\"]}" } }'],
    ['', text],
  ])('`placeOf` finds the position of the value at the path "%s" in a JSON text', (path, found) => {
    const { from, to } = placeOf(text, path);
    expect(text.slice(from, to)).toBe(found);
  });

  it('`placeOf` returns the range from 0 to 0 if the JSON text is invalid', () => {
    expect(placeOf('{ "a": ', 'a')).toEqual({ from: 0, to: 0 });
  });
});

describe('the form of an input schema', () => {
  const shape = inputShape({
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      size: { enum: ['s', 'm'], default: 'm' },
      count: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
      owner: { type: 'object', properties: { age: { type: 'number', default: 3 } } },
      any: { oneOf: [{ type: 'string' }, { type: 'null' }] },
    },
  });

  it('the input from an unedited form contains the defaults of the input schema and no empty fields', () => {
    expect(readDraft(shape, draftOf(shape))).toEqual({
      value: { size: 'm', owner: { age: 3 } },
      faults: {},
    });
  });

  it('the form of an input schema reports the path of each value that it cannot convert', () => {
    const draft = { name: 'x', size: '0', count: 'two', tags: ['a'], owner: { age: '4' }, any: '{' };
    const { value, faults } = readDraft(shape, draft);
    expect(value).toEqual({ name: 'x', size: 's', tags: ['a'], owner: { age: 4 } });
    expect(Object.keys(faults)).toEqual(['input.count', 'input.any']);
  });
});

describe('the workflow pages', () => {
  let dashboard: TestDashboard;

  beforeAll(async () => {
    dashboard = await TestDashboard.start();
  });

  afterAll(() => dashboard.stop());

  async function onPage(
    path: string,
    look: (page: Page, opened: DashboardPage) => Promise<void>,
  ): Promise<void> {
    const opened = await dashboard.page();
    try {
      await opened.goto(path);
      await look(opened.page, opened);
      expect(opened.faults).toEqual([]);
    } finally {
      await opened.close();
    }
  }

  interface Made {
    readonly id: string;
    readonly version: number;
    readonly nodes: readonly { readonly id: string }[];
  }

  const greeting = (name: string) =>
    dashboard.api<Made>('POST', '/v1/workflows', {
      name,
      tags: ['demo'],
      input_schema: {
        type: 'object',
        required: ['who'],
        properties: { who: { type: 'string', minLength: 2 }, times: { type: 'integer', default: 1 } },
      },
      nodes: [
        { id: 'greet', name: 'Greet', type: 'set', with: { value: 'Hello {{ input.who }}' } },
        { id: 'shout', name: 'Shout', type: 'set', with: { value: '{{ nodes.greet.output + "!" }}' } },
      ],
    });

  const editor = (page: Page) => page.getByRole('textbox', { name: 'Definition' });

  /** Replaces the text of the editor by the stored definition of a workflow, changed by a function. */
  async function rewrite(page: Page, id: string, change: (text: string) => string): Promise<void> {
    const { input_schema, nodes } = await dashboard.api<Record<string, unknown>>(
      'GET',
      `/v1/workflows/${id}`,
    );
    await editor(page).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(change(JSON.stringify({ input_schema, nodes })));
  }

  it('a user can create a workflow from a template, correct an error, save it and start an execution', () =>
    onPage('/workflows', async (page) => {
      // The page of an empty list has two buttons named `Create workflow`.
      await page.getByRole('button', { name: 'Create workflow' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Create workflow' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('made-here');
      await dialog.getByRole('radio', { name: 'Greeting' }).check();
      await dialog.getByRole('button', { name: 'Create workflow' }).click();
      await page.getByRole('heading', { level: 1, name: 'made-here' }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

      await page.getByRole('button', { name: /^Shout/ }).click();
      await page.getByText('Runs after greet.').waitFor();

      await page.getByRole('tab', { name: 'Definition' }).click();
      await rewrite(page, id, (text) => text.replace('nodes.greet.output', 'nodes.gret.output'));
      await page.getByText('1 problem').waitFor();
      const problem = page.getByRole('button', { name: /nodes\[1\].*gret/s });
      await problem.click();
      expect(new URL(page.url()).searchParams.get('node')).toBe('shout');
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);

      await rewrite(page, id, (text) => text.replace('Hello', 'Good day'));
      await page.getByText('No problems').waitFor();
      await page.getByRole('link', { name: 'Executions' }).click();
      await page.getByRole('dialog', { name: 'Leave without saving?' }).getByText('Stay').click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('This is version 2.').waitFor();

      await page.getByRole('button', { name: /^Run/ }).click();
      const run = page.getByRole('dialog', { name: 'Run made-here' });
      await run.getByRole('textbox', { name: 'Name' }).fill('A');
      await run.getByRole('button', { name: 'Run workflow' }).click();
      const name = run.getByRole('textbox', { name: 'Name' });
      await run.locator('[aria-invalid="true"]').waitFor();
      expect(await name.getAttribute('aria-invalid')).toBe('true');
      // The dialog shows the error once, at the invalid field.
      expect(await run.getByRole('alert').count()).toBe(1);
      expect(await run.getByText('Request', { exact: false }).count()).toBe(0);
      await name.fill('Grace');
      await run.getByRole('button', { name: 'Run workflow' }).click();
      await page.waitForURL('**/executions/*');
    }));

  it('the editor shows a change that somebody else saved, and the user can overwrite the change', async () => {
    const { id } = await greeting('lost-update');
    await onPage(`/workflows/${id}?tab=definition`, async (page) => {
      await rewrite(page, id, (text) => text.replace('Hello', 'Good day'));
      await page.getByText('Unsaved changes').waitFor();
      await dashboard.api('PATCH', `/v1/workflows/${id}`, { config: { timeout_seconds: 77 } });
      await page.getByText('No problems').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const note = page.getByRole('alert', { name: 'Conflicting change' });
      await note.getByText('"timeout_seconds": 77').waitFor();
      await note.getByRole('button', { name: 'Overwrite with my changes' }).click();
      await page.getByText('This is version 3.').waitFor();
    });
    const { nodes } = await dashboard.api<Made>('GET', `/v1/workflows/${id}`);
    expect(JSON.stringify(nodes)).toContain('Good day');
  });

  it('text that a user types while the definition is being saved becomes an unsaved change of the new version', async () => {
    const { id } = await greeting('typed-on');
    await onPage(`/workflows/${id}?tab=definition`, async (page) => {
      await rewrite(page, id, (text) => text.replace('Hello', 'Good day'));
      const typed = Promise.withResolvers<void>();
      await page.route(`**/v1/workflows/${id}`, async (route) => {
        if (route.request().method() === 'PUT') await typed.promise;
        await route.continue();
      });
      const put = page.waitForRequest((request) => request.method() === 'PUT');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await put;
      await rewrite(page, id, (text) => text.replace('Hello', 'Good night'));
      typed.resolve();
      await page.getByText('Saved as version 2').first().waitFor();
      await page.getByText('Unsaved changes').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('This is version 3.').waitFor();
    });
    const { nodes } = await dashboard.api<Made>('GET', `/v1/workflows/${id}`);
    expect(JSON.stringify(nodes)).toContain('Good night');
  });

  it('unsaved settings survive a switch of tabs, and a change that somebody else saved', async () => {
    const { id } = await greeting('kept');
    await onPage(`/workflows/${id}?tab=settings`, async (page) => {
      await page.getByLabel('Description').fill('Says hello');
      await page.getByRole('tab', { name: 'Graph' }).click();
      await page.getByRole('tab', { name: 'Settings (unsaved)' }).click();
      await dashboard.api('PATCH', `/v1/workflows/${id}`, { tags: ['theirs'] });
      await page.getByRole('button', { name: 'Save settings' }).click();
      await page.getByText('The settings were not saved.').waitFor();
      await expect.poll(() => page.getByLabel('Tags').inputValue()).toBe('theirs');
      await page.getByRole('button', { name: 'Save settings' }).click();
      await page.getByRole('tab', { name: 'Settings', exact: true }).waitFor();
    });
    expect(await dashboard.api('GET', `/v1/workflows/${id}`)).toMatchObject({
      description: 'Says hello',
      tags: ['theirs'],
    });
  });

  it('a user can restore an old version of a workflow, and pause and delete the workflow', async () => {
    const { id } = await greeting('settled');
    await dashboard.api('PATCH', `/v1/workflows/${id}`, { nodes: [] });
    await onPage(`/workflows/${id}?tab=versions`, async (page) => {
      await page.getByRole('button', { name: 'Restore version 1' }).click();
      await page.getByRole('button', { name: 'Restore as new version' }).click();
      await page.getByText('v3', { exact: true }).first().waitFor();
      const restored = await dashboard.api<Made>('GET', `/v1/workflows/${id}`);
      expect(restored.nodes.map((node) => node.id)).toEqual(['greet', 'shout']);

      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused', { exact: true }).first().waitFor();
      expect(await page.getByRole('button', { name: /^Run/ }).isDisabled()).toBe(true);

      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Delete workflow' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete settled' }).click();
      await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor();
    });
  });

  it('the settings of a workflow show errors at their fields, and are not saved if a field is invalid', async () => {
    const { id } = await greeting('refused');
    await onPage('/workflows', async (page, { goto }) => {
      await page.getByRole('button', { name: 'Create workflow' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Create workflow' }).click();
      await dialog.getByText('Enter a name.').waitFor();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('x'.repeat(256));
      await dialog.getByRole('button', { name: 'Create workflow' }).click();
      await dialog.getByText('Must be shorter than or equal to 255 characters').waitFor();

      await goto(`/workflows/${id}?tab=settings`);
      await page.getByLabel('Tags').fill('two words');
      await page.getByLabel('Execution timeout').fill('3601');
      await page.getByLabel('Maximum concurrent nodes').fill('many');
      await page.getByLabel('Maximum concurrent executions').fill('-1');
      await page.getByRole('button', { name: 'Save settings' }).click();
      for (const [label, fault] of [
        ['Tags', /must have 1 to 64 letters/i],
        ['Execution timeout', 'Must not be greater than 3600'],
        ['Maximum concurrent nodes', 'Must be an integer number'],
        ['Maximum concurrent executions', 'Must not be less than 1'],
      ] as const) {
        const field = page.getByLabel(label);
        await expect.poll(() => field.getAttribute('aria-invalid'), { message: label }).toBe('true');
        await page.getByText(fault).first().waitFor();
      }
      const { version } = await dashboard.api<Made>('GET', `/v1/workflows/${id}`);
      expect(version).toBe(1);
    });
  });

  describe('screenshots', () => {
    it('the workflow list shows the statuses of the latest executions of a workflow and has no accessibility violation', async () => {
      const { id } = await dashboard.api<Made>('POST', '/v1/workflows', {
        name: 'listed',
        tags: ['a', 'b', 'c'],
        nodes: [{ id: 'stop', type: 'fail', if: 'input.bad', with: { message: 'Bad.' } }],
      });
      for (const bad of [false, true, false])
        await dashboard.api('POST', `/v1/workflows/${id}/executions?wait=60`, { input: { bad } });
      await dashboard.looksRight('workflows', '/workflows', async (page) => {
        const row = page.getByRole('row', { name: /listed/ });
        await row.getByRole('img', { name: 'Last 3 executions: 2 completed, 1 failed' }).waitFor();
        await row.getByText('66.7%').waitFor();
        await row.getByText('+1', { exact: true }).waitFor();
      });
    });

    it('the editor of a definition with a problem has no accessibility violation', async () => {
      const { id } = await greeting('edited');
      await dashboard.looksRight('workflow-definition', `/workflows/${id}?tab=definition`, async (page) => {
        await rewrite(page, id, (text) => text.replace('nodes.greet', 'nodes.none'));
        await page.getByText('1 problem').waitFor();
        await page.getByRole('button', { name: 'Show changes' }).click();
      });
    });

    it('the dialog that starts an execution has no accessibility violation', async () => {
      const { id } = await greeting('started');
      await dashboard.looksRight('workflow-run', `/workflows/${id}`, async (page) => {
        await page.getByRole('button', { name: /^Run/ }).click();
        await page.getByRole('button', { name: 'Run workflow' }).click();
        await page.locator('[aria-invalid="true"]').waitFor();
      });
    });

    it('the details of a node type have no accessibility violation', () =>
      dashboard.looksRight('node-type', '/node-types', async (page) => {
        await page.getByRole('button', { name: 'Show http' }).click();
        await page.getByRole('heading', { name: 'Parameters' }).waitFor();
      }));

    it('the overview counts ended executions, lists recent failures and has no accessibility violation', () =>
      dashboard.looksRight('overview', '/', async (page) => {
        const figures = page.getByRole('region', { name: 'Last 24 hours' });
        await figures.getByRole('img', { name: /^p95 duration/ }).waitFor();
        const { ended } = await dashboard.api<{ ended: Record<string, number> }>(
          'GET',
          '/v1/executions/stats',
        );
        const runs = Object.values(ended).reduce((sum, n) => sum + n, 0);
        expect(runs).toBeGreaterThan(2);
        await figures
          .getByRole('img', { name: `${runs} executions ended in the last 24 hours, by hour` })
          .waitFor();
        const failures = page.getByRole('table', { name: 'Recent failures' });
        await failures.getByText('listed').locator('visible=true').waitFor();
        await failures.getByText('Bad.').waitFor();
      }));
  });
});
