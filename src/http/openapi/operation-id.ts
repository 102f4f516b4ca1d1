/**
 * The OpenAPI id of an operation. Generated clients use it as a function name. For example,
 * `WorkflowsController.listVersions` becomes `listWorkflowVersions`.
 */
export function operationId(controller: string, method: string): string {
  const resources = controller.replace(/Controller$/, '');
  const [, verb = method, rest = ''] = /^([a-z0-9]+)(.*)$/.exec(method) ?? [];
  return verb + (verb === 'list' && rest === '' ? resources : singular(resources)) + rest;
}

function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return noun.endsWith('s') && !noun.endsWith('ss') ? noun.slice(0, -1) : noun;
}

/** Converts the id of an operation to a title: `listWorkflowVersions` becomes "List workflow versions". */
export function operationSummary(id: string): string {
  const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
