import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

interface TooltipProps {
  readonly text: ReactNode;
  /**
   * A single focusable element. An element that is not focusable needs the text of the tooltip elsewhere on the page.
   */
  readonly children: ReactElement;
}

/**
 * A tooltip that opens on hover and focus. Touch screens may not show it, so do not put necessary information only in a
 * tooltip.
 */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-80 rounded-sm border border-border bg-surface px-2 py-1 text-small text-text shadow-overlay"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const TooltipProvider = Radix.Provider;
