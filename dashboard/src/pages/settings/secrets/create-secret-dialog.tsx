import { useState } from 'react';
import { answer, ApiError, createSecret, type SecretView } from '../../../api/index.ts';
import { useProject } from '../../../shell/project.ts';
import { texts } from '../../../texts/en/settings-secrets.ts';
import { Field, FormDialog, Input, Select, useSubmit } from '../../../ui/index.ts';
import { expressionOf, nameFault } from './secret-name.ts';
import { ValueField } from './value-field.tsx';

interface CreateSecretDialogProps {
  readonly onClose: () => void;
  readonly onDone: (secret: SecretView) => void;
}

export function CreateSecretDialog({ onClose, onDone }: CreateSecretDialogProps) {
  const { projectId, projects } = useProject();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState('');
  const submission = useSubmit('name', 'value', 'description', 'project_id');
  const { error, faultOf } = submission;
  const fault = nameFault(name);
  const isTaken = error instanceof ApiError && error.code === 'secret_exists';
  const project = projectId ?? (chosen === '' ? undefined : chosen);
  const create = async (): Promise<void> => {
    const body = { name, value, description: description.trim() };
    onDone(
      await answer(
        createSecret({ body: { ...body, ...(project === undefined ? {} : { project_id: project }) } }),
      ),
    );
  };
  return (
    <FormDialog
      onClose={onClose}
      title={texts.createSecret}
      action={texts.createSecret}
      submission={isTaken ? { ...submission, note: null } : submission}
      onSubmit={() => {
        if (fault === undefined) void submission.send(create);
      }}
    >
      <Field
        label={texts.name}
        required
        hint={
          <>{texts.nameHint(<code className="mono">{expressionOf(name === '' ? 'NAME' : name)}</code>)}</>
        }
        error={fault ?? (isTaken ? texts.nameTaken : faultOf('name'))}
      >
        <Input
          className="mono"
          value={name}
          placeholder="PAYMENT_KEY"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={({ target }) => {
            if (isTaken) submission.reset();
            setName(target.value);
          }}
        />
      </Field>
      <ValueField label={texts.value} value={value} onChange={setValue} error={faultOf('value')} />
      <Field label={texts.description} error={faultOf('description')}>
        <Input
          value={description}
          placeholder={texts.descriptionSample}
          onChange={({ target }) => setDescription(target.value)}
        />
      </Field>
      {projectId === undefined && projects.length > 1 && (
        <Field label={texts.project} hint={texts.projectHint} error={faultOf('project_id')}>
          <Select value={chosen} onChange={({ target }) => setChosen(target.value)}>
            <option value="">{texts.defaultProject}</option>
            {projects.map(({ id, name: projectName }) => (
              <option key={id} value={id}>
                {projectName}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </FormDialog>
  );
}
