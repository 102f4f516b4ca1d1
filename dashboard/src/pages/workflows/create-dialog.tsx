import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { answer, createWorkflow, loadChunk, nodeTypesQuery, queryClient } from '../../api/index.ts';
import { useProject } from '../../shell/project.ts';
import { texts } from '../../texts/en/workflows.ts';
import { Field, FormDialog, Input, useSubmit } from '../../ui/index.ts';
import { ORDER_DEMO } from '../../shell/order-demo.ts';
import { type Template, TEMPLATES, templatesFor } from './templates.ts';

const OWN = [...TEMPLATES.slice(0, -1), ORDER_DEMO, ...TEMPLATES.slice(-1)];

/** Loads the example workflows when the dialog opens. The examples are in a separate JavaScript chunk. */
const examplesQuery = queryOptions({
  queryKey: ['examples'],
  staleTime: 'static',
  queryFn: async () => (await loadChunk(() => import('./examples.ts'))).EXAMPLES,
});

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { projectId } = useProject();
  const { data: types } = useQuery(nodeTypesQuery);
  const { data: examples = [] } = useQuery(examplesQuery);
  const known = new Set(types?.data.map(({ type }) => type));
  const templates = types === undefined ? [] : templatesFor(known, OWN);
  const offered = types === undefined ? [] : templatesFor(known, examples);
  const [name, setName] = useState('');
  const [isEmpty, setIsEmpty] = useState(false);
  const [chosen, setChosen] = useState('greeting');
  const submission = useSubmit('name');
  const navigate = useNavigate();
  const create = async (): Promise<void> => {
    setIsEmpty(name.trim() === '');
    if (name.trim() === '') return;
    if (chosen === 'empty') {
      await navigate({ to: '/workflows/new', search: { name: name.trim() } });
      return;
    }
    await submission.send(async () => {
      const template = [...OWN, ...examples].find((each) => each.id === chosen);
      const project = projectId === undefined ? {} : { project_id: projectId };
      const workflow = await answer(
        createWorkflow({ body: { ...template?.body, ...project, name: name.trim() } }),
      );
      void queryClient.invalidateQueries({ queryKey: ['workflows'] });
      await navigate({ to: '/workflows/$id', params: { id: workflow.id } });
    });
  };
  return (
    <FormDialog
      onClose={onClose}
      title={texts.createTitle}
      action={texts.createWorkflow}
      submission={submission}
      onSubmit={() => void create()}
    >
      <Field label={texts.name} required error={isEmpty ? texts.nameMissing : submission.faultOf('name')}>
        <Input
          value={name}
          onChange={({ target }) => setName(target.value)}
          placeholder="order-fulfillment"
          autoComplete="off"
        />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">{texts.startFrom}</legend>
        {templates.map((template) => (
          <TemplateChoice
            key={template.id}
            template={template}
            chosen={template.id === chosen}
            onChoose={() => setChosen(template.id)}
          />
        ))}
      </fieldset>
      {offered.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium">{texts.examples}</legend>
          {offered.map((template) => (
            <TemplateChoice
              key={template.id}
              template={template}
              chosen={template.id === chosen}
              onChoose={() => setChosen(template.id)}
            />
          ))}
        </fieldset>
      )}
    </FormDialog>
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
