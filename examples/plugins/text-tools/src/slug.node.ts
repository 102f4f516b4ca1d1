import {
  Inject,
  type NodeContext,
  NodeFailure,
  type NodeResult,
  NodeType,
  type NodeTypeContract,
  output,
} from 'workflow-service/node';
import { Alphabet } from './alphabet.js';

type SlugParameters = { readonly text: string; readonly separator?: string };

/** A text as it may stand in an address. */
@NodeType({
  type: 'text.slug',
  version: 1,
  title: 'Slug',
  description:
    'Converts a text to a form that is valid in URLs: "Größe & Gewicht" becomes "groesse-gewicht".',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: {
      text: { type: 'string', minLength: 1, title: 'Text' },
      separator: { type: 'string', enum: ['-', '_'], title: 'Separator', description: 'Default is "-".' },
    },
    examples: [{ text: 'Größe & Gewicht' }],
  },
  outputSchema: { type: 'string', pattern: '^[a-z0-9]+(?:[-_][a-z0-9]+)*$', description: 'The slug.' },
  capabilities: { pure: true, cacheable: true },
})
export class SlugNode implements NodeTypeContract {
  constructor(@Inject(Alphabet) private readonly alphabet: Alphabet) {}

  /** @throws NodeFailure `nothing_left` for a text without letters and digits */
  run({ with: { text, separator = '-' } }: NodeContext<SlugParameters>): NodeResult {
    const words = this.alphabet.spell(text.toLowerCase()).match(/[a-z0-9]+/g);
    if (words === null)
      throw new NodeFailure('nothing_left', `"${text}" contains no letter or digit.`, { retryable: false });
    return output(words.join(separator));
  }
}
