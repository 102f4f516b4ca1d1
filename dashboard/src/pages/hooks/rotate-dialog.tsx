import { useState } from 'react';
import { answer, type HookView, type HookWithUrlView, rotateHook } from '../../api/index.ts';
import { Field, FormDialog, Select, useSubmit } from '../../ui/index.ts';

const HOUR = 3_600;

const OVERLAPS = [
  { seconds: 0, label: 'At once' },
  { seconds: HOUR, label: 'After 1 hour' },
  { seconds: 24 * HOUR, label: 'After 24 hours' },
  { seconds: 7 * 24 * HOUR, label: 'After 7 days' },
] as const;

interface RotateDialogProps {
  readonly hook: HookView;
  readonly onClose: () => void;
  readonly onDone: (hook: HookWithUrlView, note: string) => void;
}

/** Gives a hook another URL. */
export function RotateDialog({ hook, onClose, onDone }: RotateDialogProps) {
  const [seconds, setSeconds] = useState<number>(24 * HOUR);
  const submission = useSubmit();
  return (
    <FormDialog
      onClose={onClose}
      title={`Rotate the URL of ${hook.name}?`}
      description="You get a new URL. Give it to the sender before the present one stops working."
      action="Rotate URL"
      submission={submission}
      onSubmit={() =>
        void submission.send(async () => {
          const rotated = await answer(
            rotateHook({ path: { id: hook.id }, body: { overlap_seconds: seconds } }),
          );
          const overlap = OVERLAPS.find((each) => each.seconds === seconds)?.label.toLowerCase() ?? 'at once';
          onDone(rotated, `The URL before it stops working ${overlap}.`);
        })
      }
    >
      <Field label="The present URL stops working" required>
        <Select value={seconds} onChange={({ target }) => setSeconds(Number(target.value))}>
          {OVERLAPS.map((overlap) => (
            <option key={overlap.seconds} value={overlap.seconds}>
              {overlap.label}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  );
}
