import { texts } from '../../texts/en/workflow-expressions.ts';
export interface Signature {
  readonly name: string;
  readonly signature: string;
  readonly help: string;
}

/** Functions that completion offers in expressions. A test checks that the service has functions of the same names. */
export const FUNCTIONS: readonly Signature[] = [
  { name: 'size', signature: 'size(value)', help: texts.size },
  { name: 'has', signature: 'has(value.field)', help: texts.whetherFieldExists },
  { name: 'string', signature: 'string(value)', help: texts.valueAsText },
  { name: 'int', signature: 'int(value)', help: texts.valueAsWholeNumber },
  { name: 'double', signature: 'double(value)', help: texts.valueAsNumber },
  { name: 'bool', signature: 'bool(value)', help: texts.valueAsTrueOrFalse },
  { name: 'type', signature: 'type(value)', help: texts.typeOf },
  { name: 'dyn', signature: 'dyn(value)', help: texts.valueItself },
  { name: 'math.abs', signature: 'math.abs(number)', help: texts.absolute },
  { name: 'math.ceil', signature: 'math.ceil(number)', help: texts.roundsUp },
  { name: 'math.floor', signature: 'math.floor(number)', help: texts.roundsDown },
  { name: 'math.round', signature: 'math.round(number)', help: texts.roundsToNearestWhole },
  { name: 'math.trunc', signature: 'math.trunc(number)', help: texts.truncate },
  { name: 'math.sign', signature: 'math.sign(number)', help: texts.signResult },
  { name: 'math.greatest', signature: 'math.greatest(a, b, …)', help: texts.largestValue },
  { name: 'math.least', signature: 'math.least(a, b, …)', help: texts.smallestValue },
  { name: 'optional.of', signature: 'optional.of(value)', help: texts.optionalThatHoldsValue },
  { name: 'optional.none', signature: 'optional.none()', help: texts.optionalWithoutValue },
];

/** Methods that completion offers after a value in an expression, such as `contains` after `input.name`. */
export const METHODS: readonly Signature[] = [
  { name: 'size', signature: 'size()', help: texts.size },
  { name: 'contains', signature: 'contains(text)', help: texts.contains },
  { name: 'startsWith', signature: 'startsWith(text)', help: texts.startsWith },
  { name: 'endsWith', signature: 'endsWith(text)', help: texts.endsWith },
  { name: 'indexOf', signature: 'indexOf(text)', help: texts.indexOf },
  { name: 'lastIndexOf', signature: 'lastIndexOf(text)', help: texts.lastIndexOf },
  { name: 'charAt', signature: 'charAt(index)', help: texts.oneCharacter },
  { name: 'substring', signature: 'substring(start, end?)', help: texts.partOfText },
  { name: 'lowerAscii', signature: 'lowerAscii()', help: texts.lowerAscii },
  { name: 'upperAscii', signature: 'upperAscii()', help: texts.upperAscii },
  { name: 'trim', signature: 'trim()', help: texts.trim },
  { name: 'split', signature: 'split(separator, limit?)', help: texts.split },
  { name: 'replace', signature: 'replace(from, to, limit?)', help: texts.replace },
  { name: 'join', signature: 'join(separator?)', help: texts.join },
  { name: 'sum', signature: 'sum()', help: texts.sumOfListOfNumbers },
  { name: 'avg', signature: 'avg()', help: texts.averageOfListOfNumbers },
  { name: 'min', signature: 'min()', help: texts.smallestElement },
  { name: 'max', signature: 'max()', help: texts.largestElement },
  { name: 'sort', signature: 'sort()', help: texts.sort },
  { name: 'sortBy', signature: 'sortBy(x, key)', help: texts.sortBy },
  { name: 'distinct', signature: 'distinct()', help: texts.distinct },
  { name: 'flatten', signature: 'flatten()', help: texts.flatten },
  { name: 'reverse', signature: 'reverse()', help: texts.listInReverseOrder },
  { name: 'slice', signature: 'slice(start, end?)', help: texts.partOfList },
  { name: 'first', signature: 'first()', help: texts.firstElementAsOptional },
  { name: 'last', signature: 'last()', help: texts.lastElementAsOptional },
  { name: 'keys', signature: 'keys()', help: texts.keys },
  { name: 'values', signature: 'values()', help: texts.values },
  { name: 'map', signature: 'map(x, value)', help: texts.map },
  { name: 'filter', signature: 'filter(x, condition)', help: texts.elementsThatMeetCondition },
  { name: 'all', signature: 'all(x, condition)', help: texts.all },
  { name: 'exists', signature: 'exists(x, condition)', help: texts.whetherAnyElementMeets },
  {
    name: 'exists_one',
    signature: 'exists_one(x, condition)',
    help: texts.existsOne,
  },
  { name: 'orValue', signature: 'orValue(default)', help: texts.orValue },
  { name: 'hasValue', signature: 'hasValue()', help: texts.whetherOptionalHasValue },
];
