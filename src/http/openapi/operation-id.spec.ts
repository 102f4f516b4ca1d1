import { expect, it } from 'vitest';
import { operationId, operationSummary } from './operation-id.js';

it.each([
  ['WorkflowsController', 'list', 'listWorkflows', 'List workflows'],
  ['WorkflowsController', 'get', 'getWorkflow', 'Get workflow'],
  ['WorkflowsController', 'listVersions', 'listWorkflowVersions', 'List workflow versions'],
  ['NodeTypesController', 'list', 'listNodeTypes', 'List node types'],
  ['PoliciesController', 'create', 'createPolicy', 'Create policy'],
  ['AccessController', 'read', 'readAccess', 'Read access'],
])('the operation id of %s.%s is %s', (controller, method, id, summary) => {
  expect(operationId(controller, method)).toBe(id);
  expect(operationSummary(id)).toBe(summary);
});
