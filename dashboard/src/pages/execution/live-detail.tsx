import { useNow } from '../../format/index.ts';
import { detailOf, type ShownNode } from './node-words.ts';

interface LiveDetailProps {
  readonly shown: ShownNode;
  readonly now: () => number;
}

/** The detail text of a node. The text renders at each tick of the clock only if it contains a running time. */
export function LiveDetail({ shown, now }: LiveDetailProps) {
  const counts = shown.status === 'waiting' || shown.status === 'retrying';
  return counts ? <Counting shown={shown} now={now} /> : detailOf(shown, now());
}

function Counting({ shown, now }: LiveDetailProps) {
  useNow('live');
  return detailOf(shown, now());
}
