import { useNow } from '../../format/index.ts';
import { detailOf, type ShownNode } from './node-words.ts';

interface LiveDetailProps {
  readonly shown: ShownNode;
  readonly now: () => number;
}

/** Detail text of a node. Only a text with a running time is rendered at each tick. */
export function LiveDetail({ shown, now }: LiveDetailProps) {
  const counts = shown.status === 'waiting' || shown.status === 'retrying';
  return counts ? <Counting shown={shown} now={now} /> : detailOf(shown, now());
}

function Counting({ shown, now }: LiveDetailProps) {
  useNow('live');
  return detailOf(shown, now());
}
