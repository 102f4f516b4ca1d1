import { useState } from 'react';
import { answer, type ApiKeyOnWire, type NewApiKeyOnWire, rotateKey } from '../../../api/index.ts';
import { Field, FormDialog, Select, Time, useSubmit } from '../../../ui/index.ts';

const HOUR = 3600;

const OVERLAPS = [
  { seconds: 0, label: 'At once' },
  { seconds: HOUR, label: 'After 1 hour' },
  { seconds: 24 * HOUR, label: 'After 24 hours' },
  { seconds: 7 * 24 * HOUR, label: 'After 7 days' },
] as const;

interface RotateDialogProps {
  readonly replaced: ApiKeyOnWire;
  readonly onClose: () => void;
  readonly onDone: (key: NewApiKeyOnWire, note: string) => void;
}

/** Replaces a key by a new one with the same rights. The old key keeps working for the chosen time. */
export function RotateDialog({ replaced, onClose, onDone }: RotateDialogProps) {
  const [seconds, setSeconds] = useState<number>(24 * HOUR);
  const submission = useSubmit();
  const submit = (): Promise<boolean> =>
    submission.send(async () => {
      const key = await answer(rotateKey({ path: { id: replaced.id }, body: { overlap_seconds: seconds } }));
      const overlap = OVERLAPS.find((each) => each.seconds === seconds)?.label.toLowerCase() ?? 'at once';
      const tail =
        seconds === 0
          ? ''
          : ' The list shows when each of the two was last used: the old one is out of use when its time stands still.';
      onDone(key, `The old key …${replaced.last_four} ends ${overlap}.${tail}`);
    });
  return (
    <FormDialog
      onClose={onClose}
      title={`Rotate “${replaced.name}”?`}
      description="You get a new key with the same rights. Put it into your programs before the old one ends."
      action="Rotate key"
      submission={submission}
      onSubmit={() => void submit()}
    >
      <dl className="grid grid-cols-[120px_minmax(0,1fr)] gap-y-1.5">
        <dt className="text-text-2">Old key</dt>
        <dd>
          <code className="mono">{`${replaced.prefix}…${replaced.last_four}`}</code>
        </dd>
        <dt className="text-text-2">Last used</dt>
        <dd>
          <Time value={replaced.last_used_at} />
          {replaced.last_used_ip !== null && (
            <>
              {' from '}
              <code className="mono">{replaced.last_used_ip}</code>
            </>
          )}
        </dd>
      </dl>
      <Field label="The old key ends" required>
        <Select value={seconds} onChange={(event) => setSeconds(Number(event.target.value))}>
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
