import { Dialog as Radix } from 'radix-ui';
import { Fragment, type KeyboardEvent, useEffect, useId, useState } from 'react';
import { texts } from '../texts/en/shell.ts';
import { classes, Kbd } from '../ui/index.ts';
import { type Command, type PaletteDialog, usePaletteCommands } from './palette-commands.ts';

interface PaletteProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Called when the user chooses a command that needs a dialog. */
  readonly onDialog: (dialog: PaletteDialog) => void;
}

/** Pause in typing after which the palette searches, in milliseconds. */
const SETTLE_MS = 150;

export function Palette({ open, onClose, onDialog }: PaletteProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div data-backdrop className="fixed inset-0 z-40 bg-[rgb(10_12_16/0.45)]" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[600px] max-w-[calc(100vw-24px)] -translate-x-1/2 overflow-hidden rounded-lg border border-border bg-surface shadow-overlay"
        >
          <Radix.Title className="sr-only">{texts.searchAndCommands}</Radix.Title>
          <Chooser onClose={onClose} onDialog={onDialog} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Chooser({ onClose, onDialog }: Omit<PaletteProps, 'open'>) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { commands, isSearching } = usePaletteCommands(text, useSettled(text), onDialog);
  const current = Math.min(at, commands.length - 1);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((current + step + commands.length) % Math.max(commands.length, 1));
    else if (event.key === 'Enter') run(commands[current]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        role="combobox"
        aria-label={texts.search}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={commands.length === 0 ? undefined : `${id}-${current}`}
        placeholder={texts.findAnything}
        value={text}
        onKeyDown={onKey}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        className="h-11 w-full border-b border-border bg-transparent px-4 outline-none placeholder:text-text-3"
      />
      <p role="status" className={classes('px-4 text-text-2', commands.length === 0 ? 'py-3' : 'sr-only')}>
        {statusOf(commands.length, isSearching)}
      </p>
      <div id={id} role="listbox" aria-label={texts.commands} className="max-h-[50vh] overflow-y-auto p-1">
        {commands.map((command, index) => (
          <Fragment key={command.id}>
            {command.group !== commands[index - 1]?.group && (
              <div role="presentation" className="label px-3 pt-2 pb-1">
                {command.group}
              </div>
            )}
            {/* The text input keeps the focus and handles the keys. It marks the current option through
                `aria-activedescendant`. */}
            <div
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              ref={(element) => {
                if (index === current) element?.scrollIntoView({ block: 'nearest' });
              }}
              onClick={() => run(command)}
              onKeyDown={(event) => event.key === 'Enter' && run(command)}
              onPointerMove={() => setAt(index)}
              className={classes(
                'flex items-center justify-between gap-3 rounded-sm px-3 py-1.5',
                index === current && 'bg-muted',
              )}
            >
              <span className="truncate">{command.label}</span>
              <Hint text={command.hint} />
            </div>
          </Fragment>
        ))}
      </div>
    </>
  );
}

function statusOf(count: number, isSearching: boolean): string {
  if (isSearching) return texts.searching;
  return count === 0 ? texts.noResults : texts.results(count);
}

function Hint({ text }: { readonly text: string }) {
  const isKeys = text.split(' ').every((key) => key.length === 1);
  return (
    <span className="max-w-[55%] shrink-0 truncate text-text-3">{isKeys ? <Kbd>{text}</Kbd> : text}</span>
  );
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
