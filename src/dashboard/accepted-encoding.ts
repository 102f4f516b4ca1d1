import type { Encoding } from './dashboard-files.js';

/**
 * The first available encoding that `Accept-Encoding` accepts (RFC 9110, 12.5.3). Encodings it does not name are not
 * sent, except for identity, which every client accepts.
 */
export function acceptedEncoding(header: string | undefined, atHand: Iterable<Encoding>): Encoding {
  const accepted = new Set(
    (header ?? '').split(',').flatMap((part) => {
      const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
      const isRefused = parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
      return name === '' || isRefused ? [] : [name];
    }),
  );
  for (const encoding of atHand) if (accepted.has(encoding)) return encoding;
  return 'identity';
}
