import { definePlugin } from 'workflow-service/node';
import { Alphabet } from './alphabet.js';
import { ReadAloudNode } from './read-aloud.node.js';
import { SlugNode } from './slug.node.js';

export const plugin = definePlugin({
  apiVersion: 1,
  nodeTypes: [SlugNode, ReadAloudNode],
  providers: [Alphabet],
});
