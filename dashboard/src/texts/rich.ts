import { createElement, Fragment, type ReactNode } from 'react';

/** A tagged template for texts that contain React elements: rich`Nodes read it as ${code}.` */
export function rich(texts: TemplateStringsArray, ...parts: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...texts.flatMap((text, index) => [text, parts[index]]));
}
