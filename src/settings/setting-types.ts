import { z } from 'zod';
import { postgresUrlFault } from './postgres-url.js';

export const number = (fallback: number, min: number, max: number) =>
  z
    .string()
    .default(String(fallback))
    .transform((text, context) => {
      const value = Number(text);
      if (/^\d+$/.test(text) && value >= min && value <= max) return value;
      context.addIssue({
        code: 'custom',
        message: `must be a whole number from ${min} to ${max}, not "${text}"`,
      });
      return z.NEVER;
    });

export const optionalNumber = (min: number, max: number) =>
  z
    .string()
    .optional()
    .transform((text, context) => {
      const value = Number(text);
      if (text === undefined) return undefined;
      if (/^\d+$/.test(text) && value >= min && value <= max) return value;
      context.addIssue({
        code: 'custom',
        message: `must be a whole number from ${min} to ${max}, not "${text}"`,
      });
      return z.NEVER;
    });

export const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true');

export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

/** Schema of comma-separated web origins, such as `https://app.example.com`. */
export const origins = list.superRefine((given, context) => {
  for (const text of given)
    if (!URL.canParse(text) || new URL(text).origin !== text)
      context.addIssue({
        code: 'custom',
        message: `must list origins such as https://app.example.com, without a path or a slash at the end, not "${text}"`,
      });
});

export const url = (protocols: readonly string[]) =>
  z.string().superRefine((text, context) => {
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol.slice(0, -1)))
      context.addIssue({
        code: 'custom',
        message: `must be a URL beginning with ${protocols.map((p) => `${p}://`).join(' or ')}`,
      });
  });

/** Schema of a PostgreSQL URL, which may contain several hosts. */
export const postgresUrl = z.string().superRefine((text, context) => {
  const message = postgresUrlFault(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** Schema of the URL of a SQLite file or of a PostgreSQL database. */
export const databaseUrl = z.string().superRefine((text, context) => {
  const message = /^postgres(?:ql)?:/.test(text) ? postgresUrlFault(text) : sqliteUrlFault(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

function sqliteUrlFault(text: string): string | undefined {
  if (!/^sqlite:\/\/./.test(text) || !URL.canParse(text))
    return 'must be a URL beginning with sqlite:// or postgres:// or postgresql://';
  return decodedOf(text) === null
    ? 'has an invalid percent-encoding; write the character % as %25'
    : undefined;
}

export const json = <T extends z.ZodType>(schema: T, fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);

/**
 * Schema of headers in the notation of OpenTelemetry: `name=value`, separated by commas, with percent-encoded values.
 */
export const headers = list.transform((members, context): Readonly<Record<string, string>> => {
  const read: Record<string, string> = {};
  for (const member of members) {
    const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*(.+)$/.exec(member) ?? [];
    const decoded = decodedOf(value);
    if (name === undefined || decoded === null) {
      // The error names only the position of the invalid header, because the header's value may be a credential.
      const place = members.indexOf(member) + 1;
      context.addIssue({
        code: 'custom',
        message: `must list name=value pairs, separated by commas; pair ${place} is invalid`,
      });
      return z.NEVER;
    }
    read[name.toLowerCase()] = decoded;
  }
  return read;
});

export const traceUrlTemplate = url(['http', 'https']).refine(
  (text) => text.includes('{trace_id}'),
  'must contain {trace_id}, which is replaced by the id of the trace',
);

function decodedOf(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
