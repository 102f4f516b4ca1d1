import type { HtmlTagDescriptor, Plugin } from 'vite';

/** A Vite plug-in that preloads all fonts, so that the browser renders the first text in its final font. */
export function preloadedFonts(): Plugin {
  let base = '/';
  return {
    name: 'preloaded-fonts',
    apply: 'build',
    configResolved: (config) => void (base = config.base),
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => preload(`${base}${file}`)),
    },
  };
}

function preload(href: string): HtmlTagDescriptor {
  // Browsers request fonts in CORS mode. A preload without `crossorigin` would not match the request of the font, so
  // the browser would load each font twice.
  return {
    tag: 'link',
    attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href },
    injectTo: 'head',
  };
}
