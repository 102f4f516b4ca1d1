import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { useAvailable } from './available.ts';
import { classes } from './classes.ts';
import { Kbd } from './kbd.tsx';

const KINDS = {
  primary: 'border-transparent bg-accent text-on-accent',
  secondary: 'border-border bg-surface text-text hover:bg-muted',
  danger: 'border-border bg-surface text-failed hover:bg-failed-soft',
  quiet: 'border-transparent text-text-2 hover:bg-muted hover:text-text',
} as const;

const BASE =
  'inline-flex h-[30px] shrink-0 items-center justify-center gap-1.5 rounded-sm border px-[11px] font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60';

export interface ButtonLook {
  readonly kind?: keyof typeof KINDS;
}

export function buttonClasses({ kind = 'secondary' }: ButtonLook = {}): string {
  return classes(BASE, KINDS[kind]);
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonLook {
  readonly icon?: ReactNode;
  /** Keyboard shortcut that the button shows next to its label. */
  readonly shortcut?: string;
  /**
   * True while the action of the button runs. A busy button ignores clicks but stays focusable, so that keyboard users
   * do not lose their position.
   */
  readonly busy?: boolean;
  /**
   * Disables the button while the service is unavailable. The default is true for submit, primary and danger buttons,
   * and for buttons with `busy`.
   */
  readonly needsService?: boolean;
}

export function Button({
  kind,
  icon,
  shortcut,
  busy,
  type = 'button',
  needsService = busy !== undefined || kind === 'primary' || kind === 'danger' || type === 'submit',
  className,
  children,
  disabled,
  onClick,
  ...rest
}: ButtonProps) {
  const isAway = !useAvailable() && needsService;
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || isAway}
      aria-busy={busy === true || undefined}
      aria-disabled={busy === true || undefined}
      // The default action of a busy submit button is prevented, because it would submit the form again.
      onClick={busy === true ? (event) => event.preventDefault() : onClick}
      className={classes(buttonClasses({ kind }), className)}
    >
      {icon}
      {children}
      {shortcut !== undefined && <Kbd>{shortcut}</Kbd>}
    </button>
  );
}
