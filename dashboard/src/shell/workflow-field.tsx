import { useQuery } from '@tanstack/react-query';
import { workflowsQuery } from '../api/index.ts';
import { texts } from '../texts/en/shell.ts';
import { Field, Select } from '../ui/index.ts';
import { useProject } from './project.ts';

interface WorkflowFieldProps {
  /** Id of the selected workflow; empty if no workflow is selected. */
  readonly value: string;
  readonly isRequired: boolean;
  readonly onChange: (workflowId: string) => void;
  readonly error: string | undefined;
}

export function WorkflowField({ value, isRequired, onChange, error }: WorkflowFieldProps) {
  const { projectId } = useProject();
  const { data } = useQuery(workflowsQuery({ limit: 100, project_id: projectId, status: 'active' }));
  return (
    <Field
      label={texts.workflow}
      required={isRequired}
      hint={data?.data.length === 0 ? texts.noWorkflowIsActive : undefined}
      error={error}
    >
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{isRequired ? texts.choose : texts.anyWorkflow}</option>
        {data?.data.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
