import { deepEqual, rejects } from 'node:assert/strict';
import { it } from 'node:test';
import { CLOCK } from 'workflow-service/node';
import { checkNodeType, testNode } from 'workflow-service/testing';
import { Alphabet } from './alphabet.js';
import { ReadAloudNode } from './read-aloud.node.js';
import { SlugNode } from './slug.node.js';

const providers = [Alphabet];

it('the slug node converts a text to a slug', async () => {
  await checkNodeType(SlugNode, {
    providers,
    examples: [
      { with: { text: ' Crème brûlée! ', separator: '_' }, output: 'creme_brulee' },
      { with: { text: '{{ input.title }}' }, scope: { input: { title: 'Ærø 2' } }, output: 'aeroe-2' },
    ],
  });
});

it('the slug node fails with `nothing_left` for a text without letters and digits', async () => {
  await rejects(testNode(SlugNode, { providers, with: { text: '!?' } }), { code: 'nothing_left' });
});

it('the read-aloud node suspends for the reading time of its text, and then returns the number of words', async () => {
  await checkNodeType(ReadAloudNode);
  const at = [{ provide: CLOCK, useValue: { now: () => 1000 } }];
  const { suspended } = await testNode(ReadAloudNode, {
    providers: at,
    with: { text: 'three little words', words_per_minute: 60 },
  });
  deepEqual(suspended, { for: 'timer', until: 4000 });
  const woken = await testNode(ReadAloudNode, {
    with: { text: 'three little words' },
    context: { resumption: { kind: 'timer', at: 4000 } },
  });
  deepEqual([woken.output, woken.logs], [{ words: 3 }, ['Read 3 words.']]);
});
