import type { Plugin } from 'vite';

/** Matches the folder `/texts/en/` in the path of an import such as `../texts/en/login.ts`. */
const CATALOGUE = /\/texts\/en\/(?=[^/]+\.ts$)/;

/**
 * A Vite plug-in that builds the dashboard in another language. The plug-in replaces each import of a file with English
 * texts by an import of the translated file, if that file exists.
 * @param language BCP 47 tag, which is also the name of the folder with the translated files
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
