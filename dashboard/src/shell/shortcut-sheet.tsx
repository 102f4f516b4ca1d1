import { texts } from '../texts/en/shell.ts';
import { Dialog, Kbd, Switch, useShortcuts, useSingleKeys } from '../ui/index.ts';

interface SheetProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** A dialog that lists the keyboard shortcuts of the page, with a switch for single-key shortcuts. */
export function ShortcutSheet({ open, onClose }: SheetProps) {
  const shortcuts = useShortcuts();
  const [on, setOn] = useSingleKeys();
  const groups = [...new Set(shortcuts.map(({ group }) => group))];
  return (
    <Dialog open={open} onClose={onClose} title={texts.keyboardShortcuts}>
      <Switch label={texts.singleKeys} hint={texts.singleKeysHint} checked={on} onChange={setOn} />
      {groups.map((group) => (
        <section key={group} className="mt-4">
          <h3 className="label">{group}</h3>
          <ul>
            {shortcuts
              .filter((shortcut) => shortcut.group === group)
              .map(({ keys, label }) => (
                <li
                  key={`${keys} ${label}`}
                  className="flex h-8 items-center justify-between border-b border-border"
                >
                  {label}
                  <span>
                    {keys.split(' ').map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}
