import { useState } from 'react';
import { answer, type HookView, type HookWithUrlView, rotateHook } from '../../api/index.ts';
import { texts } from '../../texts/en/hooks.ts';
import {
  DEFAULT_OVERLAP,
  Field,
  FormDialog,
  overlapInWords,
  ROTATION_OVERLAPS,
  Select,
  useSubmit,
} from '../../ui/index.ts';

interface RotateDialogProps {
  readonly hook: HookView;
  readonly onClose: () => void;
  readonly onDone: (hook: HookWithUrlView, note: string) => void;
}

export function RotateDialog({ hook, onClose, onDone }: RotateDialogProps) {
  const [seconds, setSeconds] = useState(DEFAULT_OVERLAP);
  const submission = useSubmit();
  return (
    <FormDialog
      onClose={onClose}
      title={texts.rotateQuestion(hook.name)}
      description={texts.rotateHint}
      action={texts.rotateUrl}
      submission={submission}
      onSubmit={() =>
        void submission.send(async () => {
          const rotated = await answer(
            rotateHook({ path: { id: hook.id }, body: { overlap_seconds: seconds } }),
          );
          const overlap = overlapInWords(seconds);
          onDone(rotated, texts.previousUrlStops(overlap));
        })
      }
    >
      <Field label={texts.currentUrlStops} required>
        <Select value={seconds} onChange={({ target }) => setSeconds(Number(target.value))}>
          {ROTATION_OVERLAPS.map((overlap) => (
            <option key={overlap.seconds} value={overlap.seconds}>
              {overlap.label}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  );
}
