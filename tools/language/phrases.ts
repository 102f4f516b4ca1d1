/** A phrase that readers have misunderstood, and a better wording. */
export interface ForbiddenPhrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

export const FORBIDDEN_PHRASES: readonly ForbiddenPhrase[] = [
  {
    pattern: /\b(?:is|are|was|were|be|been|being|gets?|not) told\b|\btold (?:of|apart|as)\b/i,
    instead: 'notified, reported, named',
  },
  { pattern: /\btells? (?:of|apart)\b/i, instead: 'reports, distinguishes' },
  {
    pattern: /\bwhoever\b|\bwhatever (?:became|came|comes) of\b/i,
    instead: 'the noun: the caller, the process, the reader',
  },
  { pattern: /\bnobody\b/i, instead: 'no caller, no process, no reader' },
  { pattern: /\b(?:is|are|was|were) (?:born|at rest)\b|\bcomes? to rest\b/i, instead: 'starts, is idle' },
  { pattern: /\b(?:hears?|heard) of\b/i, instead: 'is notified of, receives' },
  { pattern: /\ball the same\b/i, instead: 'nevertheless, or say why' },
  { pattern: /\bby now\b/i, instead: 'already, or name the moment' },
  { pattern: /\bas (?:it|they) stands?\b/i, instead: 'as written, unchanged' },
  { pattern: /\bto be had\b/i, instead: 'available' },
  { pattern: /\bthat of which\b|\bthat which\b/i, instead: 'the noun' },
  {
    pattern: /\b(?:what|who|which) (?:it|they) (?:is|are) (?:made|asked|told|handed)\b/i,
    instead: 'the noun',
  },
  { pattern: /\bin the place of\b/i, instead: 'instead of' },
  { pattern: /\bstands? (?:elsewhere|there|apart|here)\b/i, instead: 'is stored in, is defined in' },
  { pattern: /\bapart by\b/i, instead: 'separated by' },
  { pattern: /\bmay not be (?:had|known)\b/i, instead: 'is unavailable, is unknown' },
];
