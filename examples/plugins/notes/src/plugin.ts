import { definePlugin } from 'workflow-service/module';
import { AddNoteNode } from './add-note.node.js';
import { CreateNotes1764000000000 } from './create-notes.migration.js';
import { NotesModule } from './notes.module.js';

export const plugin = definePlugin({
  apiVersion: 1,
  nodeTypes: [AddNoteNode],
  modules: [NotesModule],
  migrations: [CreateNotes1764000000000],
});
