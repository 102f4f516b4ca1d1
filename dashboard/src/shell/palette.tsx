import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, useId, useState } from 'react';
import { workflowsQuery } from '../api/index.ts';
import { classes, Kbd, useShortcuts } from '../ui/index.ts';
import { useSections } from './navigation.ts';

interface PaletteProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

interface Command {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Minimum length of the text before workflows are searched. */
const MIN_SEARCH = 2;
const MOST_WORKFLOWS = 5;

/** The command palette: opens pages, workflows and executions, and runs actions of the current page. */
export function Palette({ open, onClose }: PaletteProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div data-backdrop className="fixed inset-0 z-40 bg-[rgb(10_12_16/0.45)]" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[520px] max-w-[calc(100vw-24px)] -translate-x-1/2 overflow-hidden rounded-lg border border-border bg-surface shadow-overlay"
        >
          <Radix.Title className="sr-only">Search and commands</Radix.Title>
          <Chooser onClose={onClose} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Chooser({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const commands = useCommands(text);
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
        aria-label="Search"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={commands.length === 0 ? undefined : `${id}-${current}`}
        placeholder="Go to a page, a workflow or a run"
        value={text}
        onKeyDown={onKey}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        className="h-11 w-full border-b border-border bg-transparent px-4 outline-none placeholder:text-text-3"
      />
      {commands.length === 0 && <p className="px-4 py-3 text-text-2">Nothing is called so.</p>}
      <div id={id} role="listbox" aria-label="Commands" className="max-h-[50vh] overflow-y-auto p-1">
        {commands.map((command, index) => (
          // The input handles the keys; see aria-activedescendant.
          <div
            key={command.id}
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
              'flex items-center justify-between rounded-sm px-3 py-1.5',
              index === current && 'bg-muted',
            )}
          >
            {command.label}
            <span className="text-text-3">
              {command.hint.split(' ').every((key) => key.length === 1) ? (
                <Kbd>{command.hint}</Kbd>
              ) : (
                command.hint
              )}
            </span>
          </div>
        ))}
      </div>
    </>
  );
}

function useCommands(text: string): readonly Command[] {
  const navigate = useNavigate();
  const shortcuts = useShortcuts();
  const wanted = text.trim();
  const { data } = useQuery({
    ...workflowsQuery({ q: wanted, limit: MOST_WORKFLOWS }),
    enabled: wanted.length >= MIN_SEARCH,
  });
  const pages = useSections().flatMap(({ title, destinations }) =>
    destinations.map(({ label, to, keys }): Command => ({
      id: to,
      label,
      hint: keys ?? title ?? '',
      run: () => void navigate({ to }),
    })),
  );
  const actions = shortcuts
    .filter(({ group, keys }) => group !== 'Lists' && !keys.startsWith('g '))
    .map(({ keys, label, run }): Command => ({ id: `key ${keys} ${label}`, label, hint: keys, run }));
  const workflows = (wanted.length >= MIN_SEARCH ? (data?.data ?? []) : []).map(({ id, name }): Command => ({
    id,
    label: name,
    hint: 'Workflow',
    run: () => void navigate({ to: '/workflows/$id', params: { id } }),
  }));
  const run: readonly Command[] = UUID.test(wanted)
    ? [
        {
          id: wanted,
          label: `Run ${wanted}`,
          hint: 'Open',
          run: () => void navigate({ to: '/executions/$id', params: { id: wanted } }),
        },
      ]
    : [];
  const named = [...pages, ...actions].filter(({ label }) =>
    label.toLowerCase().includes(wanted.toLowerCase()),
  );
  return [...run, ...named, ...workflows];
}
