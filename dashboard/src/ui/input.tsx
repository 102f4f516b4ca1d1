import type { InputHTMLAttributes, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { classes } from './classes.ts';
import { useFieldAttributes } from './field.tsx';

const LOOK =
  'w-full rounded-sm border border-control bg-surface px-2.5 text-text placeholder:text-text-3 disabled:opacity-60 aria-invalid:border-failed';

export function Input({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input {...useFieldAttributes()} {...rest} className={classes(LOOK, 'h-8', className)} />;
}

/** The native select: it needs no script-generated styles and works on every device. */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select {...useFieldAttributes()} {...rest} className={classes(LOOK, 'h-8 pr-1', className)} />;
}

export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <textarea
      rows={4}
      {...useFieldAttributes()}
      {...rest}
      className={classes(LOOK, 'mono py-1.5', className)}
    />
  );
}
