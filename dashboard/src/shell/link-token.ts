import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * Returns the token after `#t=` in the URL, and removes the token from the URL. Otherwise, the browser history would
 * keep the token.
 * @param path path of the page, which becomes the new URL
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
