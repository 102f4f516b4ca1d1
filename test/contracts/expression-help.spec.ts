import { expect, it } from 'vitest';
import { FUNCTIONS, METHODS } from '../../dashboard/src/pages/workflow/expression-functions.js';
import { FUNCTIONS as KNOWN_FUNCTIONS, METHODS as KNOWN_METHODS } from '../../src/expressions/functions.js';

/**
 * Functions whose argument is the path of a field instead of a value. The compiler of expressions handles these
 * functions itself.
 */
const MACROS = ['has'];
const LOOPS = ['map', 'filter', 'all', 'exists', 'exists_one', 'sortBy'];
/** Methods of optional values in the expression language. */
const OPTIONALS = ['orValue', 'hasValue'];

const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort();

it('the expression help of the dashboard lists all functions of the expression language and no others', () => {
  expect(namesOf(FUNCTIONS)).toEqual([...KNOWN_FUNCTIONS.keys(), ...MACROS].sort());
});

it('the expression help of the dashboard lists all methods of the expression language and no others', () => {
  expect(namesOf(METHODS)).toEqual([...KNOWN_METHODS.keys(), ...LOOPS, ...OPTIONALS].sort());
});
