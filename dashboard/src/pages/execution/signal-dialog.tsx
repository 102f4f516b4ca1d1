import { useState } from 'react';
import { runActions } from '../../api/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { Field, FormDialog, TextArea, useSubmit } from '../../ui/index.ts';

interface SignalDialogProps {
  readonly executionId: string;
  readonly signal: string;
  readonly onClose: () => void;
}

export function SignalDialog({ executionId, signal, onClose }: SignalDialogProps) {
  const [text, setText] = useState('{}');
  const submission = useSubmit('payload');
  const payload = parsed(text);
  const send = async (): Promise<void> => {
    if (payload === undefined) return;
    const isSent = await submission.send(async () => {
      await runActions.signal(executionId, signal, payload.value);
    });
    if (isSent) onClose();
  };
  return (
    <FormDialog
      onClose={onClose}
      title={texts.sendSignalQuestion(signal)}
      description={texts.signalHint}
      action={texts.sendSignal}
      submission={submission}
      onSubmit={() => void send()}
    >
      <Field
        label={texts.payloadLabel}
        error={payload === undefined ? texts.payloadNotJson : submission.faultOf('payload')}
      >
        <TextArea value={text} spellCheck={false} onChange={(event) => setText(event.target.value)} />
      </Field>
    </FormDialog>
  );
}

/** Parses the JSON payload of a signal. The value is wrapped in an object, because a valid payload may be null. */
function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
