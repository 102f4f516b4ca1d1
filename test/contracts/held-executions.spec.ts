import { databaseKinds } from '../support/database.js';
import { ExecutionStore } from '../support/execution-store.js';
import { HeldExecutions } from '../support/held-executions.js';
import { heldExecutionsContract } from './held-executions.contract.js';

heldExecutionsContract('in memory', () => {
  const store = new HeldExecutions();
  return Promise.resolve({
    store,
    insert: (execution) => Promise.resolve(store.add(execution)),
    stored: (id) => Promise.resolve(store.stored(id)),
    takeOver: (id) => Promise.resolve(store.takeOver(id)),
    close: () => Promise.resolve(),
  });
});

for (const kind of await databaseKinds())
  heldExecutionsContract(`on ${kind.name}`, async () => {
    const database = await kind.create();
    const { executions, writer, close } = await opened(database.settings);
    return {
      store: executions,
      insert: async (execution, events) => {
        await executions.insert(execution, events, []);
      },
      stored: async (id) => {
        const found = await executions.find(id);
        if (found === undefined) throw new Error(`There is no execution ${id}.`);
        return found;
      },
      takeOver: (id) =>
        writer.commit({
          writes: [
            {
              sql: `UPDATE executions SET lease_owner = '01a00000-0000-7000-8000-000000000002', lease_epoch = 2 WHERE id = '${id}'`,
              parameters: [],
            },
          ],
        }),
      close: async () => {
        await close();
        await database.drop();
      },
    };
  });

async function opened(settings: Parameters<typeof ExecutionStore.open>[0]) {
  const store = await ExecutionStore.open(settings);
  return { executions: store.executions, writer: store.writer, close: () => store.close() };
}
