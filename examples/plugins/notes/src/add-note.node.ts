import {
  Inject,
  type NodeContext,
  type NodeResult,
  NodeType,
  type NodeTypeContract,
  output,
} from 'workflow-service/module';
import { NotesService } from './notes.service.js';

type AddNoteParameters = { readonly text: string };

@NodeType({
  type: 'notes.add',
  version: 1,
  title: 'Add note',
  description: 'Adds a note to the project of the execution.',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: { text: { type: 'string', minLength: 1, maxLength: 1_000, title: 'Text' } },
  },
  outputSchema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
  capabilities: {},
})
export class AddNoteNode implements NodeTypeContract {
  constructor(@Inject(NotesService) private readonly notes: Pick<NotesService, 'add'>) {}

  async run(context: NodeContext<AddNoteParameters>): Promise<NodeResult> {
    const { text } = context.with;
    await this.notes.add(context.projectId, text, context.idempotencyKey);
    return output({ text });
  }
}
