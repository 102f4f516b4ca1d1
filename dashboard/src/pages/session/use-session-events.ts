import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { answer, readSessionEvents, type WorkflowEvent } from '../../api/index.ts';
import { useLiveEvents } from '../../live/index.ts';

const MOST_EVENTS = 500;
const DRAW_EVERY_MS = 150;

interface SessionEvents {
  readonly events: readonly WorkflowEvent[];
  readonly error: Error | null;
  readonly isPending: boolean;
}

/** The latest events of a session, newest first: events from the journal and live events, without duplicates. */
export function useSessionEvents(id: string, onEvent: () => void): SessionEvents {
  const { data, error, isPending } = useQuery({
    queryKey: ['sessions', 'events', id],
    staleTime: Infinity,
    gcTime: 0,
    queryFn: () => readAll(id),
  });
  const arrived = useRef<WorkflowEvent[]>([]);
  const [live, setLive] = useState<readonly WorkflowEvent[]>([]);
  const latest = useRef(onEvent);
  useEffect(() => {
    latest.current = onEvent;
  });
  useLiveEvents((event) => {
    if (event.session_id === id) arrived.current.push(event);
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (arrived.current.length === 0) return;
      const fresh = arrived.current.toReversed();
      arrived.current = [];
      setLive((before) => [...fresh, ...before].slice(0, MOST_EVENTS));
      latest.current();
    }, DRAW_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const seen = new Set(live.map((event) => event.id));
  const before = (data ?? []).filter((event) => !seen.has(event.id));
  return { events: [...live, ...before].slice(0, MOST_EVENTS), error, isPending };
}

async function readAll(id: string): Promise<readonly WorkflowEvent[]> {
  let events: readonly WorkflowEvent[] = [];
  let after: string | undefined;
  for (;;) {
    const { data, pagination } = await answer(
      readSessionEvents({ path: { id }, query: { after: after ?? '0', limit: 100 } }),
    );
    events = [...events, ...data].slice(-MOST_EVENTS);
    if (!pagination.has_more) return events.toReversed();
    after = pagination.next_cursor;
  }
}
