/** A function or method of the expression language, as help shows it. */
export interface Signature {
  readonly name: string;
  readonly signature: string;
  readonly help: string;
}

/** Functions, called by name. A test compares the names with those of the service. */
export const FUNCTIONS: readonly Signature[] = [
  { name: 'size', signature: 'size(value)', help: 'Length of a text, list, or map.' },
  { name: 'has', signature: 'has(value.field)', help: 'Whether a field exists.' },
  { name: 'string', signature: 'string(value)', help: 'The value as text.' },
  { name: 'int', signature: 'int(value)', help: 'The value as a whole number.' },
  { name: 'double', signature: 'double(value)', help: 'The value as a number.' },
  { name: 'bool', signature: 'bool(value)', help: 'The value as true or false.' },
  { name: 'type', signature: 'type(value)', help: 'The kind of a value, as text.' },
  { name: 'dyn', signature: 'dyn(value)', help: 'The value itself.' },
  { name: 'math.abs', signature: 'math.abs(number)', help: 'The number without its sign.' },
  { name: 'math.ceil', signature: 'math.ceil(number)', help: 'Rounds up.' },
  { name: 'math.floor', signature: 'math.floor(number)', help: 'Rounds down.' },
  { name: 'math.round', signature: 'math.round(number)', help: 'Rounds to the nearest whole number.' },
  { name: 'math.trunc', signature: 'math.trunc(number)', help: 'Removes the decimals.' },
  { name: 'math.sign', signature: 'math.sign(number)', help: '-1, 0, or 1.' },
  { name: 'math.greatest', signature: 'math.greatest(a, b, …)', help: 'The largest value.' },
  { name: 'math.least', signature: 'math.least(a, b, …)', help: 'The smallest value.' },
  { name: 'optional.of', signature: 'optional.of(value)', help: 'An optional that holds the value.' },
  { name: 'optional.none', signature: 'optional.none()', help: 'An optional without a value.' },
];

/** Methods, called on a value. */
export const METHODS: readonly Signature[] = [
  { name: 'size', signature: 'size()', help: 'Length of a text, list, or map.' },
  { name: 'contains', signature: 'contains(text)', help: 'Whether a text contains another one.' },
  { name: 'startsWith', signature: 'startsWith(text)', help: 'Whether a text starts with another one.' },
  { name: 'endsWith', signature: 'endsWith(text)', help: 'Whether a text ends with another one.' },
  { name: 'indexOf', signature: 'indexOf(text)', help: 'The first place of a text, else -1.' },
  { name: 'lastIndexOf', signature: 'lastIndexOf(text)', help: 'The last place of a text, else -1.' },
  { name: 'charAt', signature: 'charAt(index)', help: 'One character.' },
  { name: 'substring', signature: 'substring(start, end?)', help: 'Part of a text.' },
  { name: 'lowerAscii', signature: 'lowerAscii()', help: 'ASCII letters in lower case.' },
  { name: 'upperAscii', signature: 'upperAscii()', help: 'ASCII letters in upper case.' },
  { name: 'trim', signature: 'trim()', help: 'Removes white space at both ends.' },
  { name: 'split', signature: 'split(separator, limit?)', help: 'The parts of a text, as a list.' },
  { name: 'replace', signature: 'replace(from, to, limit?)', help: 'Replaces a text in a text.' },
  { name: 'join', signature: 'join(separator?)', help: 'A list as one text.' },
  { name: 'sum', signature: 'sum()', help: 'Sum of a list of numbers.' },
  { name: 'avg', signature: 'avg()', help: 'Average of a list of numbers.' },
  { name: 'min', signature: 'min()', help: 'The smallest element.' },
  { name: 'max', signature: 'max()', help: 'The largest element.' },
  { name: 'sort', signature: 'sort()', help: 'The list in ascending order.' },
  { name: 'sortBy', signature: 'sortBy(x, key)', help: 'The list in the order of a key.' },
  { name: 'distinct', signature: 'distinct()', help: 'The list without repeated elements.' },
  { name: 'flatten', signature: 'flatten()', help: 'Lists in a list, joined.' },
  { name: 'reverse', signature: 'reverse()', help: 'The list in reverse order.' },
  { name: 'slice', signature: 'slice(start, end?)', help: 'Part of a list.' },
  { name: 'first', signature: 'first()', help: 'The first element, as an optional.' },
  { name: 'last', signature: 'last()', help: 'The last element, as an optional.' },
  { name: 'keys', signature: 'keys()', help: 'Names of the fields of a map.' },
  { name: 'values', signature: 'values()', help: 'Values of the fields of a map.' },
  { name: 'map', signature: 'map(x, value)', help: 'A value for each element.' },
  { name: 'filter', signature: 'filter(x, condition)', help: 'The elements that meet a condition.' },
  { name: 'all', signature: 'all(x, condition)', help: 'Whether every element meets a condition.' },
  { name: 'exists', signature: 'exists(x, condition)', help: 'Whether any element meets a condition.' },
  {
    name: 'exists_one',
    signature: 'exists_one(x, condition)',
    help: 'Whether one element meets a condition.',
  },
  { name: 'orValue', signature: 'orValue(default)', help: 'The value of an optional, else a default.' },
  { name: 'hasValue', signature: 'hasValue()', help: 'Whether an optional has a value.' },
];
