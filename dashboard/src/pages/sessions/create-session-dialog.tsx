import { useState } from 'react';
import { answer, openSession, type SessionView } from '../../api/index.ts';
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
      title="Create session"
      description="It groups the runs of one piece of work. Start runs in it with its id."
      action="Create session"
      submission={submission}
      onSubmit={() => void submit()}
    >
      <Field label="Name" error={submission.faultOf('name')}>
        <Input value={name} placeholder="Order 4711" onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field
        label="Your id"
        hint="Its id in your own system; a second session of the same id is refused."
        error={submission.faultOf('external_id')}
      >
        <Input value={externalId} onChange={(event) => setExternalId(event.target.value)} />
      </Field>
      <Field label="Runs" required>
        <Select value={concurrency} onChange={(event) => setConcurrency(event.target.value as Concurrency)}>
          <option value="parallel">At the same time</option>
          <option value="serial">One after the other</option>
        </Select>
      </Field>
      <Field
        label="State"
        hint="A JSON object that runs read as session.state."
        error={
          isNotJson ? 'This is not a JSON object. Check quotes and commas.' : submission.faultOf('state')
        }
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

/** @returns undefined if the text is not a JSON object */
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
