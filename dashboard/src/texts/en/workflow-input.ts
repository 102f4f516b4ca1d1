/** Texts of the form that is made of an input schema. */
export const texts = {
  input: 'Input',
  item: 'Item',
  mustBeNumber: 'Must be a number',
  anyJsonHint: 'Any JSON value.',
  choose: 'Select…',
  removeItem: (label: string, index: number) => `Remove ${label} ${index}`,
  addItem: (label: string) => `Add to ${label}`,
  notJson: 'Must be valid JSON: check quotes, commas, and brackets',
};
