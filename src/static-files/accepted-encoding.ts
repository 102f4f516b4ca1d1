import type { Encoding } from './static-files.js';

/**
 * Returns the first available encoding that the header `Accept-Encoding` allows (RFC 9110, section 12.5.3). Returns
 * `identity` if the header allows none of them.
 */
export function acceptedEncoding(header: string | undefined, available: Iterable<Encoding>): Encoding {
  const accepted = new Set(
    (header ?? '').split(',').flatMap((part) => {
      const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
      const isRefused = parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
      return name === '' || isRefused ? [] : [name];
    }),
  );
  for (const encoding of available) if (accepted.has(encoding)) return encoding;
  return 'identity';
}
