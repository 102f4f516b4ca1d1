import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { texts } from '../texts/en/ui.ts';
import { classes } from './classes.ts';
import { useAnnounce } from './announcer.tsx';
import { Button, type ButtonLook } from './button.tsx';
import { IconButton } from './icon-button.tsx';

const SHOWN_MS = 1500;

/**
 * Copies a value to the clipboard.
 * @returns whether the value was copied within the last 1.5 seconds, and the function that copies
 */
function useCopy(value: string, onCopied?: () => void): readonly [copied: boolean, copy: () => void] {
  const announce = useAnnounce();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void =>
    void writeToClipboard(value).then((done) => {
      announce(done ? texts.copied : texts.couldNotCopy);
      setCopied(done);
      if (done) onCopied?.();
    });
  return [copied, copy];
}

async function writeToClipboard(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    // Copying fails on pages without HTTPS, except on localhost, because browsers do not offer the clipboard API there.
    return false;
  }
}

interface CopyProps {
  readonly value: string;
  readonly onCopied?: () => void;
}

interface CopyButtonProps extends CopyProps, ButtonLook {
  readonly label?: string;
}

export function CopyButton({ value, onCopied, kind, label = texts.copyButton }: CopyButtonProps) {
  const [copied, copy] = useCopy(value, onCopied);
  return (
    <Button kind={kind} onClick={copy} icon={copied ? <Check size={14} aria-hidden /> : undefined}>
      {copied ? texts.copied : label}
    </Button>
  );
}

interface CopyIconProps extends CopyProps {
  /** Name of the button for screen readers and tooltips, such as `Copy run id`. */
  readonly label: string;
  readonly className?: string;
}

export function CopyIcon({ value, label, onCopied, className }: CopyIconProps) {
  const [copied, copy] = useCopy(value, onCopied);
  return (
    <IconButton
      label={copied ? texts.copied : label}
      onClick={(event) => {
        event.stopPropagation();
        copy();
      }}
      icon={copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
      className={classes('!size-6', className)}
    />
  );
}
