import { type ReactNode, useEffect } from 'react';
import { texts } from '../texts/en/shell.ts';
import { Brand } from './brand.tsx';

interface OutsideProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

export function Outside({ title, description, children }: OutsideProps) {
  useEffect(() => {
    document.title = texts.documentTitle(title);
  }, [title]);
  return (
    <main className="flex min-h-full flex-col items-center px-4 pt-[12vh] pb-8">
      <Brand />
      <div className="mt-5 w-full max-w-[360px] rounded-lg border border-border bg-surface p-5">
        <h1 className="text-title font-semibold">{title}</h1>
        {description !== undefined && <p className="mt-1 text-text-2">{description}</p>}
        <div className="mt-4">{children}</div>
      </div>
    </main>
  );
}
