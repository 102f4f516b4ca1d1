import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { texts } from '../texts/en/ui.ts';
import { IconButton } from './icon-button.tsx';

interface DialogProps {
  readonly open: boolean;
  /**
   * Called when the user presses Esc, clicks the close button, or clicks outside of the dialog. The dialog closes only
   * if the parent sets `open` to false.
   */
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** Removes the close button in the corner, for dialogs that require an explicit choice. */
  readonly withoutCross?: boolean;
}

/**
 * The element that had the focus before the last dialog opened. If a dialog replaces another dialog, this
 * element gets the focus when the second dialog closes.
 */
let lastOpener: HTMLElement | null = null;

/** A modal dialog with a focus trap. When the dialog closes, the previously focused element gets the focus again. */
export function Dialog({ open, onClose, title, description, children, actions, withoutCross }: DialogProps) {
  const opener = useRef<HTMLElement>(null);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        {/* Replaces the overlay of Radix UI, because the content security policy blocks the inline style of that
            overlay. */}
        <div data-backdrop className="fixed inset-0 z-40 bg-[rgb(10_12_16/0.45)]" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onOpenAutoFocus={(event) => {
            lastOpener = focused() ?? lastOpener;
            opener.current = lastOpener;
            focusFirstField(event);
          }}
          onCloseAutoFocus={(event) => {
            // Radix UI would move the focus to the trigger of the dialog, but dialogs of the dashboard have no trigger.
            event.preventDefault();
            opener.current?.focus();
          }}
          className="fixed outline-none top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[520px] max-w-[calc(100vw-24px)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-y-auto rounded-lg border border-border bg-surface p-5 shadow-overlay"
        >
          <div className="flex items-start gap-4">
            <Radix.Title className="min-w-0 flex-1 text-title font-semibold wrap-anywhere">
              {title}
            </Radix.Title>
            {withoutCross !== true && (
              <IconButton
                label={texts.close}
                icon={<X size={16} />}
                onClick={onClose}
                className="-mt-1 -mr-1"
              />
            )}
          </div>
          {description !== undefined && (
            <Radix.Description className="mt-1 text-text-2 wrap-anywhere">{description}</Radix.Description>
          )}
          <div className="mt-4">{children}</div>
          {actions !== undefined && <div className="mt-4 flex flex-wrap justify-end gap-2">{actions}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * Focuses the first field of a dialog, or the dialog itself if it has no field. If the close button were focused, its
 * tooltip would open.
 */
function focusFirstField(event: Event): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  event.preventDefault();
  const field = event.currentTarget.querySelector<HTMLElement>('input:not([hidden]), select, textarea');
  (field ?? event.currentTarget).focus();
}

/**
 * Returns the focused element; null if no element has the focus. If a menu item has the focus, returns the button of
 * the menu, because the menu closes.
 */
function focused(): HTMLElement | null {
  const { activeElement } = document;
  const menu = activeElement?.closest('[role="menu"]');
  const element = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : null;
}
