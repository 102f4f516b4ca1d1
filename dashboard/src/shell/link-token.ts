import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * The token behind `#t=` of a link. It leaves the address at once: nobody shall read it from the history or from a
 * screen. A link that is pasted where the page is open already counts, too.
 * @param path of the page, which the address becomes
 */
export function useLinkToken(
  path: '/setup' | '/invitation',
): readonly [token: string | null, forget: () => void] {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const given = new URLSearchParams(hash).get('t');
  const [kept, setKept] = useState<string | null>(null);
  if (given !== null && given !== kept) setKept(given);
  useEffect(() => {
    if (given !== null) void navigate({ to: path, replace: true });
  }, [given, navigate, path]);
  return [given ?? kept, () => setKept(null)];
}
