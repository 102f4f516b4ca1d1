import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { useAvailable } from './available.ts';
import { classes } from './classes.ts';

interface MenuProps {
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}

/**
 * The menu is not modal, because Radix UI adds an inline style for modal menus, which the content security policy
 * blocks.
 */
export function Menu({ trigger, children, align = 'start' }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 rounded-md border border-border bg-surface p-1 shadow-overlay"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly children: ReactNode;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Disables the menu item while the service is unavailable. */
  readonly needsService?: boolean;
  /** Whether this choice is selected; undefined for menu items that are actions. */
  readonly checked?: boolean;
}

export function MenuItem({
  onSelect,
  children,
  icon,
  danger,
  disabled: isOff = false,
  needsService = false,
  checked,
}: MenuItemProps) {
  const disabled = !useAvailable() && needsService ? true : isOff;
  const look = classes(
    'flex items-center gap-2 rounded-sm px-2 py-1 outline-none data-[disabled]:opacity-60 data-[highlighted]:bg-muted',
    danger === true ? 'text-failed' : 'text-text',
  );
  if (checked === undefined)
    return (
      <Radix.Item onSelect={onSelect} disabled={disabled} className={look}>
        {icon}
        {children}
      </Radix.Item>
    );
  return (
    <Radix.CheckboxItem checked={checked} onSelect={onSelect} disabled={disabled} className={look}>
      <span className="w-3.5">
        <Radix.ItemIndicator>
          <Check size={14} aria-hidden />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <Radix.Label className="label px-2 pt-1.5 pb-1">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1 h-px bg-border" />;
}
