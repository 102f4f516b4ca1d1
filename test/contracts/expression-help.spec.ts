import { expect, it } from 'vitest';
import { FUNCTIONS, METHODS } from '../../dashboard/src/pages/workflow/expression-functions.js';
import { FUNCTIONS as KNOWN_FUNCTIONS, METHODS as KNOWN_METHODS } from '../../src/expressions/functions.js';

/** Handled by the compiler, since they take names of variables or fields. */
const MACROS = ['has'];
const LOOPS = ['map', 'filter', 'all', 'exists', 'exists_one', 'sortBy'];
/** Of optionals. */
const OPTIONALS = ['orValue', 'hasValue'];

const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort();

it('the dashboard helps with every function of expressions, and with no other one', () => {
  expect(namesOf(FUNCTIONS)).toEqual([...KNOWN_FUNCTIONS.keys(), ...MACROS].sort());
});

it('the dashboard helps with every method of expressions, and with no other one', () => {
  expect(namesOf(METHODS)).toEqual([...KNOWN_METHODS.keys(), ...LOOPS, ...OPTIONALS].sort());
});
