import {
  CLOCK,
  type Clock,
  Inject,
  type NodeContext,
  type NodeResult,
  NodeType,
  type NodeTypeContract,
  output,
  suspend,
} from 'workflow-service/node';

type ReadAloudParameters = { readonly text: string; readonly words_per_minute?: number };

const MS_PER_MINUTE = 60_000;

/** Outputs a text after the time that reading it aloud takes. During this time, the execution needs no process. */
@NodeType({
  type: 'text.read_aloud',
  version: 1,
  title: 'Read aloud',
  description: 'Waits for the time that reading the text aloud takes, then returns its number of words.',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: {
      text: { type: 'string', title: 'Text' },
      words_per_minute: {
        type: 'number',
        minimum: 1,
        title: 'Words a minute',
        description: 'Default is 150.',
      },
    },
    examples: [{ text: 'Once upon a time' }],
  },
  outputSchema: {
    type: 'object',
    required: ['words'],
    properties: { words: { type: 'integer', description: 'Words that were read.' } },
  },
  capabilities: { suspends: true },
})
export class ReadAloudNode implements NodeTypeContract {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  run({ with: parameters, resumption }: NodeContext<ReadAloudParameters>): NodeResult {
    const { text, words_per_minute = 150 } = parameters;
    const words = text.split(/\s+/).filter((word) => word !== '').length;
    if (resumption !== null || words === 0) return output({ words }, [`Read ${words} words.`]);
    const until = this.clock.now() + Math.ceil((words / words_per_minute) * MS_PER_MINUTE);
    return suspend({ for: 'timer', until });
  }
}
