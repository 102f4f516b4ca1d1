import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';
import { serve } from '../sandbox/guest.ts';
import { MAX_OUTPUT, TRANSFORM_REALM } from './transform-realm.ts';

/** Realm in which JSONata runs, without the globals of Node.js and without objects of the main realm. */
const realm = createContext(Object.create(null) as { job?: string; answer?: unknown }, {
  codeGeneration: { strings: false, wasm: false },
  // With `afterEvaluate`, promise callbacks run before the script returns, so that the script's timeout covers them.
  microtaskMode: 'afterEvaluate',
});
const jsonata = createRequire(import.meta.url).resolve('jsonata');
new Script(readFileSync(jsonata, 'utf8'), { filename: 'jsonata.js' }).runInContext(realm);
new Script(TRANSFORM_REALM, { filename: 'realm.js' }).runInContext(realm);
const transform = new Script('transform(job)');

await serve(() =>
  Promise.resolve(({ program, input }) => {
    realm.job = JSON.stringify({ program, input, maxOutput: MAX_OUTPUT });
    realm.answer = undefined;
    transform.runInContext(realm);
    const { answer } = realm;
    if (typeof answer !== 'string') throw new Error('The JSONata expression ended without a result.');
    return answer;
  }),
);
