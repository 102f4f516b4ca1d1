import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Kbd } from './kbd.tsx';

const KINDS = {
  primary: 'border-transparent bg-accent text-on-accent',
  secondary: 'border-border bg-surface text-text hover:bg-muted',
  danger: 'border-border bg-surface text-failed hover:bg-failed-soft',
  quiet: 'border-transparent text-text-2 hover:bg-muted hover:text-text',
} as const;

const BASE =
  'inline-flex h-[30px] shrink-0 items-center justify-center gap-1.5 rounded-sm border px-[11px] font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-60';

export interface ButtonLook {
  readonly kind?: keyof typeof KINDS;
}

/** Classes of a button, for links that look like one. */
export function buttonClasses({ kind = 'secondary' }: ButtonLook = {}): string {
  return classes(BASE, KINDS[kind]);
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonLook {
  readonly icon?: ReactNode;
  /** The key that does the same, shown beside the word. */
  readonly shortcut?: string;
  /** While what it did is on its way: it cannot be pressed again, and keeps its width. */
  readonly busy?: boolean;
}

/** A button says what it does with a verb. */
export function Button({
  kind,
  icon,
  shortcut,
  busy = false,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={classes(buttonClasses({ kind }), className)}
    >
      {icon}
      {children}
      {shortcut !== undefined && <Kbd>{shortcut}</Kbd>}
    </button>
  );
}
