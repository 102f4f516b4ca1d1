/** Texts of the dialog that runs a workflow, and of its form that is made of an input schema. */
export const texts = {
  runTitle: (name: string) => `Run ${name}`,
  runInSession: 'Run in this session',
  versionHint: (version: number) => `Version ${version}.`,
  close: 'Close',
  startExecution: 'Run workflow',
  notStarted: 'The execution was not started.',
  input: 'Input',
  item: 'Item',
  mustBeNumber: 'Must be a number',
  anyJsonHint: 'Any JSON value.',
  choose: 'Select…',
  removeItem: (label: string, index: number) => `Remove ${label} ${index}`,
  addItem: (label: string) => `Add to ${label}`,
  notJson: 'Must be valid JSON: check quotes, commas, and brackets',
};
