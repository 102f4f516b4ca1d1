import { ChevronDown } from 'lucide-react';
import type { InputHTMLAttributes, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { classes } from './classes.ts';
import { useFieldAttributes } from './field.tsx';

const INPUT_CLASSES =
  'w-full rounded-sm border border-control bg-surface px-2.5 text-text placeholder:text-text-3 disabled:opacity-60 aria-invalid:border-failed';

export function Input({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input {...useFieldAttributes()} {...rest} className={classes(INPUT_CLASSES, 'h-8', className)} />;
}

/**
 * A native `select` element, because custom select components need inline styles, which the content security policy
 * blocks.
 */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className={classes('relative block w-full', className)}>
      <select
        {...useFieldAttributes()}
        {...rest}
        className={classes(INPUT_CLASSES, 'h-8 appearance-none truncate pr-7')}
      />
      <ChevronDown
        size={14}
        aria-hidden
        className="pointer-events-none absolute top-[9px] right-2 text-text-2"
      />
    </span>
  );
}

export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <textarea
      rows={4}
      {...useFieldAttributes()}
      {...rest}
      className={classes(INPUT_CLASSES, 'mono py-1.5', className)}
    />
  );
}
