import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

interface PopoverProps {
  readonly trigger: ReactElement;
  /** Name of the popover's content for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

/**
 * A button that opens a popover with controls. Unlike a menu, the popover stays open while the user changes controls.
 */
export function Popover({ trigger, label, children }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 rounded-md border border-border bg-surface p-3 shadow-overlay"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
