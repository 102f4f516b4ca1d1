import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Tooltip } from './tooltip.tsx';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
  /** Label of the button for screen readers and the tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly shortcut?: string;
}

export function IconButton({ label, icon, shortcut, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={shortcut === undefined ? label : `${label} (${shortcut})`}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={classes(
          'inline-flex size-7 shrink-0 items-center justify-center rounded-sm text-text-2 transition-colors hover:bg-muted hover:text-text disabled:cursor-not-allowed disabled:opacity-60',
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
