import { answer, createWorkflow, listWorkflows, startExecution } from '../api/index.ts';
import { texts } from '../texts/en/workflows.ts';
import { ORDER_DEMO, ORDER_DEMO_TAG } from './order-demo.ts';

/**
 * Starts the workflow of the order demo, and creates the workflow if it does not exist yet.
 * @returns the id of the execution
 */
export async function runOrderDemo(projectId: string | undefined): Promise<string> {
  const project = projectId === undefined ? {} : { project_id: projectId };
  const { data } = await answer(
    listWorkflows({ query: { ...project, tag: ORDER_DEMO_TAG, status: 'active', limit: 1 } }),
  );
  const workflow =
    data[0] ??
    (await answer(createWorkflow({ body: { ...ORDER_DEMO.body, ...project, name: texts.orderDemo } })));
  const body = { input: { order_id: '4711' } };
  return (await answer(startExecution({ path: { id: workflow.id }, body }))).id;
}
