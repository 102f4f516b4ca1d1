import { useState } from 'react';
import { answer, openSession, type SessionView } from '../../api/index.ts';
import { texts } from '../../texts/en/sessions.ts';
import { Field, FormDialog, Input, Select, TextArea, useSubmit } from '../../ui/index.ts';

type Concurrency = SessionView['concurrency'];

interface CreateSessionDialogProps {
  readonly projectId: string | undefined;
  readonly onClose: () => void;
  readonly onDone: (session: SessionView) => void;
}

export function CreateSessionDialog({ projectId, onClose, onDone }: CreateSessionDialogProps) {
  const [name, setName] = useState('');
  const [externalId, setExternalId] = useState('');
  const [concurrency, setConcurrency] = useState<Concurrency>('parallel');
  const [state, setState] = useState('');
  const [isNotJson, setIsNotJson] = useState(false);
  const submission = useSubmit('name', 'external_id', 'state');
  const submit = async (): Promise<void> => {
    const parsed = objectOf(state);
    setIsNotJson(parsed === undefined);
    if (parsed === undefined) return;
    await submission.send(async () => {
      const body = {
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        ...(externalId.trim() === '' ? {} : { external_id: externalId.trim() }),
        ...(projectId === undefined ? {} : { project_id: projectId }),
        concurrency,
        state: parsed,
      };
      onDone(await answer(openSession({ body })));
    });
  };
  return (
    <FormDialog
      onClose={onClose}
      title={texts.createSession}
      description={texts.createHint}
      action={texts.createSession}
      submission={submission}
      onSubmit={() => void submit()}
    >
      <Field label={texts.name} error={submission.faultOf('name')}>
        <Input
          value={name}
          placeholder={texts.nameSample}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label={texts.externalId} hint={texts.externalIdHint} error={submission.faultOf('external_id')}>
        <Input value={externalId} onChange={(event) => setExternalId(event.target.value)} />
      </Field>
      <Field label={texts.executions} required>
        <Select value={concurrency} onChange={(event) => setConcurrency(event.target.value as Concurrency)}>
          <option value="parallel">{texts.parallel}</option>
          <option value="serial">{texts.serial}</option>
        </Select>
      </Field>
      <Field
        label={texts.state}
        hint={texts.stateHint}
        error={isNotJson ? texts.stateNotJson : submission.faultOf('state')}
      >
        <TextArea
          rows={4}
          spellCheck={false}
          placeholder="{}"
          value={state}
          onChange={(event) => setState(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

/**
 * @returns undefined if the text is not a JSON object
 */
function objectOf(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
