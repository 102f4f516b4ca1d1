import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import type { SiteSection } from '../site.ts';
import { StrictHtml } from '../strict-html.ts';

const ROOT = join(import.meta.dirname, '..');
const strict = new StrictHtml();

export default defineConfig({
  title: 'Workflow Service',
  description: 'Runs durable workflows over REST and sends their events live over a WebSocket.',
  lang: 'en-US',
  srcDir: 'pages',
  outDir: process.env['DOCS_OUT'] ?? 'dist',
  // Links within the docs site are relative, so that the site works under any path.
  base: './',
  metaChunk: true,
  // With the default value, VitePress adds an inline style element, which the content security policy blocks.
  appearance: { disableTransition: false },
  markdown: {
    // Documents contain workflow expressions in double braces, which Vue would otherwise evaluate as templates.
    html: false,
    codeTransformers: [strict.codeTransformer],
    config: (md) => {
      const plain = (text: string): string => md.utils.escapeHtml(text).replaceAll('{{', '&#123;&#123;');
      md.renderer.rules.text = (tokens, index) => plain(tokens[index]?.content ?? '');
      md.renderer.rules.code_inline = (tokens, index) =>
        `<code>${plain(tokens[index]?.content ?? '')}</code>`;
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Tutorial', link: '/getting-started' },
      { text: 'Node types', link: '/node-types/' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: sidebar(),
    docFooter: { prev: 'Previous page', next: 'Next page' },
  },
  transformHtml: (html) => strict.page(html),
  buildEnd: ({ outDir }) => strict.write(outDir),
});

/** Returns the navigation of the docs site. Sections with more than 15 pages are collapsed at first. */
function sidebar() {
  const sections = JSON.parse(
    readFileSync(join(ROOT, 'pages', 'navigation.json'), 'utf8'),
  ) as readonly SiteSection[];
  return sections.map(({ title, pages }) => ({
    text: title,
    collapsed: pages.length > 15,
    items: pages.map(([path, text]) => ({ text, link: `/${path.replace(/index$/, '')}` })),
  }));
}
