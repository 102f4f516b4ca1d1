import type { Encoding } from './static-files.js';

/** Returns the first available encoding that the header `Accept-Encoding` accepts (RFC 9110, 12.5.3), or `identity`. */
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
