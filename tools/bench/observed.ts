/** Starts the service with an observer in its process, for values that only the process itself can read. */
import { once } from 'node:events';
import type { Observed, Question } from './observer.ts';
import { type BenchedService, startService } from './service.ts';

export interface ObservedService extends BenchedService {
  ask(question: Question): Promise<Observed>;
}

export async function startObserved(more: Readonly<Record<string, string>> = {}): Promise<ObservedService> {
  const service = await startService(['--expose-gc', '--import', './tools/bench/observer.ts'], more, true);
  const ask = async (question: Question): Promise<Observed> => {
    const { child } = service.server;
    const answer = once(child, 'message');
    child.send(question);
    return (await answer)[0] as Observed;
  };
  return { ...service, ask };
}
