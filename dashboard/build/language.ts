import type { Plugin } from 'vite';

/** The part of an import path that names the folder of English texts. */
const CATALOGUE = /\/texts\/en\/(?=[^/]+\.ts$)/;

/**
 * A Vite plug-in that builds the dashboard in another language. Texts without a translation stay English.
 * @param language BCP 47 tag, which is also the name of the folder with the translation
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
