import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useId, useState } from 'react';
import { answer, ApiError, createWorkflow, nodeTypesQuery, queryClient } from '../../api/index.ts';
import { useProject } from '../../shell/project.ts';
import { Button, Dialog, ErrorNote, Field, Input } from '../../ui/index.ts';
import { type Template, TEMPLATES, templatesFor } from './templates.ts';

interface CreateDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Makes a workflow of a template and goes to it. */
export function CreateDialog({ open, onClose }: CreateDialogProps) {
  const formId = useId();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create a workflow"
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" form={formId} busy={busy}>
            Create workflow
          </Button>
        </>
      }
    >
      <CreateForm id={formId} onBusy={setBusy} />
    </Dialog>
  );
}

interface CreateFormProps {
  readonly id: string;
  readonly onBusy: (busy: boolean) => void;
}

function CreateForm({ id, onBusy }: CreateFormProps) {
  const { projectId } = useProject();
  const { data: types } = useQuery(nodeTypesQuery);
  const templates = types === undefined ? [] : templatesFor(new Set(types.data.map(({ type }) => type)));
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('greeting');
  const [error, setError] = useState<unknown>(null);
  const navigate = useNavigate();
  const create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    onBusy(true);
    setError(null);
    try {
      const template = TEMPLATES.find((each) => each.id === chosen);
      const project = projectId === undefined ? {} : { project_id: projectId };
      const workflow = await answer(
        createWorkflow({ body: { ...template?.body, ...project, name: name.trim() } }),
      );
      void queryClient.invalidateQueries({ queryKey: ['workflows'] });
      await navigate({ to: '/workflows/$id', params: { id: workflow.id } });
    } catch (failure) {
      setError(failure);
      onBusy(false);
    }
  };
  return (
    <form id={id} noValidate onSubmit={(event) => void create(event)} className="flex flex-col gap-4">
      <Field label="Name" required error={error instanceof ApiError ? error.faultOf('name') : undefined}>
        <Input
          value={name}
          onChange={({ target }) => setName(target.value)}
          placeholder="order-fulfilment"
          autoComplete="off"
        />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">Begin with</legend>
        {templates.map((template) => (
          <TemplateChoice
            key={template.id}
            template={template}
            chosen={template.id === chosen}
            onChoose={() => setChosen(template.id)}
          />
        ))}
      </fieldset>
      {error !== null && <ErrorNote error={error} title="The workflow was not created." />}
    </form>
  );
}

interface TemplateChoiceProps {
  readonly template: Template;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function TemplateChoice({ template, chosen, onChoose }: TemplateChoiceProps) {
  const id = useId();
  return (
    <div className="flex gap-2.5 rounded-md border border-border px-3 py-2 has-checked:border-accent">
      <input
        id={id}
        type="radio"
        name="template"
        checked={chosen}
        onChange={onChoose}
        aria-describedby={`${id}-hint`}
        className="mt-1 accent-accent"
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {template.title}
        </label>
        <p id={`${id}-hint`} className="text-small text-text-3">
          {template.description}
        </p>
      </div>
    </div>
  );
}
