import type { Plugin } from 'vite';

/** Path of an English catalogue as a module imports it. */
const CATALOGUE = /\/texts\/en\/(?=[^/]+\.ts$)/;

/**
 * Vite plug-in that builds the dashboard in another language. Texts without a translation stay
 * English.
 * @param language BCP 47 tag that names the folder of the translation
 */
export function translated(language: string): Plugin {
  return {
    name: 'translated',
    enforce: 'pre',
    resolveId(source, importer) {
      if (language === 'en' || !CATALOGUE.test(source) || importer?.includes(`/texts/${language}/`) === true)
        return null;
      return this.resolve(source.replace(CATALOGUE, `/texts/${language}/`), importer, { skipSelf: true });
    },
    transformIndexHtml: (html) => html.replace('<html lang="en">', `<html lang="${language}">`),
  };
}
