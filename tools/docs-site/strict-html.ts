/**
 * Moves the inline scripts and styles of the docs site into files, because the content security policy forbids inline
 * code.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path of the style sheet for highlighted code, in the built docs site. */
const CODE_STYLES = 'assets/code.css';
/**
 * Script that replaces the inline scripts of VitePress. The script file is in the folder `assets/` of the docs site, so
 * `../` is the root of the docs site.
 */
const START = `window.__VP_SITE_ROOT__ = new URL('../', document.currentScript.src).href;
const wanted = localStorage.getItem('vitepress-theme-appearance') || 'auto';
const isDark = wanted === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : wanted === 'dark';
document.documentElement.classList.toggle('dark', isDark);
document.documentElement.classList.toggle('mac', /Mac|iPhone|iPod|iPad/i.test(navigator.platform));
`;
const START_FILE = `assets/start.${createHash('sha256').update(START).digest('hex').slice(0, 8)}.js`;

export interface CodeElement {
  readonly properties: Record<string, unknown>;
}

/**
 * Replaces inline styles with classes, and inline scripts with a script file. `write` then writes the style sheet and
 * the script file.
 */
export class StrictHtml {
  private readonly classes = new Map<string, string>();

  readonly codeTransformer = {
    name: 'styles-to-classes',
    enforce: 'post' as const,
    pre: (element: CodeElement): void => this.useClass(element),
    span: (element: CodeElement): void => this.useClass(element),
  };

  page(html: string): string {
    const root = /<script>window\.__VP_SITE_ROOT__=new URL\("([./]*)",location\)\.href<\/script>/.exec(
      html,
    )?.[1];
    if (root === undefined)
      throw new Error(
        'The page has no inline script of the form <script>window.__VP_SITE_ROOT__=new URL(...).href</script>.',
      );
    return html
      .replaceAll(
        /<script>window\.__VP_SITE_ROOT__=[^<]*<\/script>/g,
        `<script src="${root}${START_FILE}"></script>`,
      )
      .replaceAll(/<script id="check-(dark-mode|mac-os)">[^]*?<\/script>\s*/g, '')
      .replaceAll(/(<[a-z][^>]*?) style="[^"]*"/g, '$1')
      .replace('</head>', `<link rel="stylesheet" href="${root}${CODE_STYLES}">\n</head>`);
  }

  /** Writes the script file and the style sheet that replace the inline code of the pages. */
  write(out: string): void {
    const rules = [...this.classes].map(([style, name]) => `.${name}{${style}}`);
    writeFileSync(join(out, START_FILE), START);
    writeFileSync(join(out, CODE_STYLES), `${rules.join('\n')}\n`);
  }

  private useClass({ properties }: CodeElement): void {
    const style = properties['style'];
    if (typeof style !== 'string') return;
    delete properties['style'];
    const name = this.classes.get(style) ?? `s${this.classes.size}`;
    this.classes.set(style, name);
    const others = [properties['class']].flat().filter((one) => typeof one === 'string');
    properties['class'] = [...others, name].join(' ');
  }
}
