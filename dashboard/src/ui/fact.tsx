import type { ReactNode } from 'react';

/** A name and its value in a description list (`dl`). */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="label">{name}</dt>
      <dd className="num font-medium">{children}</dd>
    </div>
  );
}
