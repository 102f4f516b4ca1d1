/** Collects all pages of the docs site in one folder: copies of documents, and generated pages. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { apiNavigation, apiPages, type OpenApiDocument } from './api-pages.ts';
import { type DescribedNodeType, nodeTypePages, readExamples } from './node-type-pages.ts';
import { settingsPage } from './settings-page.ts';
import { API, DECISIONS, NODE_TYPES, ROUTES, SECTIONS, type SitePage, type SiteSection } from './site.ts';

export interface DescribedService {
  readonly openapi: OpenApiDocument;
  readonly node_types: readonly DescribedNodeType[];
}

/** Documents outside the folder `docs` that are pages of the site: path in the project, and path in the site. */
const PAGES_OUTSIDE_DOCS: Readonly<Record<string, string>> = {
  'examples/README.md': 'examples.md',
  'clients/typescript/README.md': 'client.md',
  'ARCHITECTURE.md': 'architecture.md',
  'CONTRIBUTING.md': 'contributing.md',
};
/**
 * Files and folders that have no page of their own, with the page that describes them. Links to such a file lead to
 * this page.
 */
const SHOWN_ELSEWHERE: readonly (readonly [start: string, page: string])[] = [
  ['.env.example', 'settings.md'],
  ['examples', 'examples.md'],
  ['clients/typescript', 'client.md'],
];

/**
 * Writes all pages of the docs site and the file `navigation.json` to a folder.
 * @param root folder of the project
 * @param target folder to write; its former content is deleted
 */
export function stagePages(root: string, target: string, service: DescribedService): void {
  rmSync(target, { recursive: true, force: true });
  const docs = join(root, 'docs');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  };
  for (const path of documentsIn(docs))
    write(path, withSiteLinks(readFileSync(join(docs, path), 'utf8'), `docs/${path}`));
  for (const [source, path] of Object.entries(PAGES_OUTSIDE_DOCS))
    write(path, withSiteLinks(readFileSync(join(root, source), 'utf8'), source));
  cpSync(join(docs, 'images'), join(target, 'images'), { recursive: true });
  const types = nodeTypePages(service.node_types, readExamples(join(docs, 'node-types')));
  for (const [path, text] of [...types, ...apiPages(service.openapi)]) write(path, text);
  write('settings.md', settingsPage(readFileSync(join(root, '.env.example'), 'utf8')));
  write('navigation.json', JSON.stringify(navigation(service, docs)));
}

/** Returns the paths of all Markdown documents directly in `docs` and in `docs/adr`. */
export function documentsIn(docs: string): readonly string[] {
  return ['', 'adr/'].flatMap((folder) =>
    readdirSync(join(docs, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}${name}`),
  );
}

function navigation({ node_types: types, openapi }: DescribedService, docs: string): readonly SiteSection[] {
  const typePages = types
    .map(({ type, title }): SitePage => [`node-types/${type}`, title])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const decisions = documentsIn(docs)
    .filter((path) => /^adr\/\d/.test(path))
    .toSorted()
    .map((path): SitePage => [path.slice(0, -3), decisionTitle(readFileSync(join(docs, path), 'utf8'))]);
  const [start, build, ...others] = SECTIONS;
  if (start === undefined || build === undefined)
    throw new Error('The navigation of the site has fewer than two sections.');
  return [
    start,
    build,
    { title: 'Node types', pages: [NODE_TYPES, ...typePages] },
    ...others,
    { title: 'API', pages: [API, ...apiNavigation(openapi), ROUTES, ['client', 'TypeScript client']] },
    {
      title: 'Inside',
      pages: [['architecture', 'Architecture'], ['contributing', 'Contributing'], DECISIONS, ...decisions],
    },
  ];
}

function decisionTitle(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Decision';
}

/**
 * Replaces links to project files with links to pages of the docs site. If the site has no page for a file, the link
 * becomes plain text.
 * @param source path of the document in the project
 */
export function withSiteLinks(text: string, source: string): string {
  const from = sitePathOf(source);
  return outsideOfCode(text, (part) =>
    part.replaceAll(
      /(?<!!)\[((?:[^\][]|\[[^\]]*\])*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)]*)?\)/g,
      (link, label: string, target: string, anchor = '') => {
        const path = posix.normalize(posix.join(posix.dirname(source), target)).replace(/\/$/, '');
        const page = sitePathOf(path);
        if (page === undefined || from === undefined) return label;
        return path === source
          ? link
          : `[${label}](${posix.relative(posix.dirname(from), page) || page}${anchor})`;
      },
    ),
  );
}

/**
 * Converts the path of a project file to the path of its page in the docs site; undefined if the site has no such page.
 */
function sitePathOf(path: string): string | undefined {
  if (PAGES_OUTSIDE_DOCS[path] !== undefined) return PAGES_OUTSIDE_DOCS[path];
  if (/^docs\/(adr\/)?[\w-]+\.md$/.test(path)) return path.slice('docs/'.length);
  if (path === 'docs/node-types') return `${NODE_TYPES[0]}.md`;
  if (/^docs\/(node-types|api)\//.test(path) || path === 'docs/settings.md')
    return path.slice('docs/'.length);
  return SHOWN_ELSEWHERE.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1];
}

function outsideOfCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^```[^]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('');
}

export function readDescribedService(file: string): DescribedService {
  if (!existsSync(file))
    throw new Error(`${file} does not exist. Run tools/docs-site/described-service.mjs, which creates it.`);
  return JSON.parse(readFileSync(file, 'utf8')) as DescribedService;
}
