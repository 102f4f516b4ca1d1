import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * The token after `#t=` in a link. The token is removed from the URL immediately, so that neither the history nor the
 * screen shows it. Also works if the link is pasted into an open page.
 * @param path path of the page, which replaces the URL
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
