import { deepEqual, equal } from 'node:assert/strict';
import { it } from 'node:test';
import { checkNodeType, testNode } from 'workflow-service/testing';
import type { Write } from 'workflow-service/module';
import { AddNoteNode } from './add-note.node.js';
import type { NoteEntity } from './note.entity.js';
import { NotesService } from './notes.service.js';

it('the add-note node adds its text with the idempotency key of its attempt', async () => {
  const added: unknown[] = [];
  const notes = { add: async (...note: unknown[]) => added.push(note) };
  const providers = [{ provide: NotesService, useValue: notes }];
  await checkNodeType(AddNoteNode, {
    providers,
    examples: [{ with: { text: '{{ input.text }}' }, scope: { input: { text: 'Call Bob' } } }],
  });
  const context = { projectId: 'project', idempotencyKey: 'execution:note' };
  const { output } = await testNode(AddNoteNode, { providers, with: { text: 'Call Ada' }, context });
  deepEqual([output, added.at(-1)], [{ text: 'Call Ada' }, ['project', 'Call Ada', 'execution:note']]);
});

it('`NotesService.create` commits a note in the project of the request', async () => {
  const committed: (readonly Write[])[] = [];
  const inserted: NoteEntity[] = [];
  const write: Write = { sql: 'INSERT', parameters: [] };
  const service = new NotesService(
    { insertOnce: (note: NoteEntity) => (inserted.push(note), write) } as never,
    { resolve: async (_caller: unknown, id: string) => ({ id }) } as never,
    { commit: async ({ writes }: { writes: readonly Write[] }) => void committed.push(writes) } as never,
    { now: () => Date.UTC(2030, 0, 1) },
  );
  const note = await service.create({} as never, 'project', 'Call Ada');
  deepEqual(committed, [[write]]);
  deepEqual(inserted, [note]);
  equal(note.projectId, 'project');
  equal(note.createdAt, '2030-01-01T00:00:00.000Z');
});
