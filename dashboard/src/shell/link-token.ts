import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * The token after `#t=` in a link. The URL is replaced immediately, because the browser history
 * would keep the token.
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
