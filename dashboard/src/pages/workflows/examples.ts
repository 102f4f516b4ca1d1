import type { CreateWorkflowBody } from '../../api/index.ts';
import type { Template } from './templates.ts';

interface Example extends CreateWorkflowBody {
  readonly description: string;
}

const FILES = import.meta.glob<Example>('../../../../examples/*/workflow.json', {
  eager: true,
  import: 'default',
});

/** Every workflow in the folder `examples` of the repository, as a template for new workflows. */
export const EXAMPLES: readonly Template[] = Object.entries(FILES).map(([path, { name, ...body }]) => ({
  id: path.split('/').at(-2) ?? path,
  title: name,
  description: body.description,
  body,
}));
