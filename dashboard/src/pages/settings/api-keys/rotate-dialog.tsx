import { useState } from 'react';
import { answer, type ApiKeyOnWire, type NewApiKeyOnWire, rotateKey } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-api-keys.ts';
import {
  DEFAULT_OVERLAP,
  Field,
  FormDialog,
  overlapInWords,
  ROTATION_OVERLAPS,
  Select,
  Time,
  useSubmit,
} from '../../../ui/index.ts';

interface RotateDialogProps {
  readonly replaced: ApiKeyOnWire;
  readonly onClose: () => void;
  readonly onDone: (key: NewApiKeyOnWire, note: string) => void;
}

/** Dialog that replaces an API key by a new key. The old key keeps working for the time that the user chooses. */
export function RotateDialog({ replaced, onClose, onDone }: RotateDialogProps) {
  const [seconds, setSeconds] = useState(DEFAULT_OVERLAP);
  const submission = useSubmit();
  const submit = (): Promise<boolean> =>
    submission.send(async () => {
      const key = await answer(rotateKey({ path: { id: replaced.id }, body: { overlap_seconds: seconds } }));
      const overlap = overlapInWords(seconds);
      const tail = seconds === 0 ? '' : texts.rotatedHint;
      onDone(key, texts.oldKeyExpires(replaced.last_four, overlap, tail));
    });
  return (
    <FormDialog
      onClose={onClose}
      title={texts.rotateQuestion(replaced.name)}
      description={texts.rotateHint}
      action={texts.rotateKey}
      submission={submission}
      onSubmit={() => void submit()}
    >
      <dl className="grid grid-cols-[120px_minmax(0,1fr)] gap-y-1.5">
        <dt className="text-text-2">{texts.oldKey}</dt>
        <dd>
          <code className="mono">{`${replaced.prefix}…${replaced.last_four}`}</code>
        </dd>
        <dt className="text-text-2">{texts.lastUsed}</dt>
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
      <Field label={texts.oldKeyExpiresLabel} required>
        <Select value={seconds} onChange={(event) => setSeconds(Number(event.target.value))}>
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
