/**
 * Starts the service with `observer.ts` loaded into its process, which reports figures of the process to the benchmark.
 */
import { once } from 'node:events';
import type { Observed, Question } from './observer.ts';
import { type BenchedService, startService } from './service.ts';

export interface ObservedService extends BenchedService {
  ask(question: Question): Promise<Observed>;
}

export async function startObserved(
  settings: Readonly<Record<string, string>> = {},
): Promise<ObservedService> {
  const service = await startService({
    nodeArgs: ['--expose-gc', '--import', './tools/bench/observer.ts'],
    settings,
    channel: true,
  });
  const ask = async (question: Question): Promise<Observed> => {
    const { child } = service.server;
    const answer = once(child, 'message');
    child.send(question);
    return (await answer)[0] as Observed;
  };
  return { ...service, ask };
}
