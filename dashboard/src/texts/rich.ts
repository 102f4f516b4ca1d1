import { createElement, Fragment, type ReactNode } from 'react';

/** A text with elements, as a tagged template: rich`Nodes read it as ${code}.` */
export function rich(texts: TemplateStringsArray, ...parts: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...texts.flatMap((text, index) => [text, parts[index]]));
}
