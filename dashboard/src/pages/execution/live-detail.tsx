import { useNow } from '../../format/index.ts';
import { detailOf, type ShownNode } from './node-words.ts';

interface LiveDetailProps {
  readonly shown: ShownNode;
  readonly now: () => number;
}

/**
 * Short text about the state of a node. For a waiting or retrying node, the text counts down and renders at each clock
 * tick.
 */
export function LiveDetail({ shown, now }: LiveDetailProps) {
  const counts = shown.status === 'waiting' || shown.status === 'retrying';
  return counts ? <Counting shown={shown} now={now} /> : detailOf(shown, now());
}

function Counting({ shown, now }: LiveDetailProps) {
  useNow('live');
  return detailOf(shown, now());
}
