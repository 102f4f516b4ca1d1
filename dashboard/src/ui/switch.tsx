import { Switch as Radix } from 'radix-ui';
import { type ReactNode, useId } from 'react';

interface SwitchProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A switch whose change takes effect immediately, without a submit button. */
export function Switch({ label, hint, checked, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint !== undefined && <p className="text-small text-text-3">{hint}</p>}
      </div>
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        className="h-[18px] w-8 shrink-0 rounded-full border border-control bg-muted transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-3 translate-x-[3px] rounded-full bg-control transition-transform data-[state=checked]:translate-x-[15px] data-[state=checked]:bg-on-accent" />
      </Radix.Root>
    </div>
  );
}
