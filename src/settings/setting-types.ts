import { z } from 'zod';

/** An integer setting with a default. */
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

/** An optional integer setting. */
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

/** `true` or `false`. */
export const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true');

/** A comma-separated list of texts. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

/** Comma-separated web origins, as browsers send them: `https://app.example.com`. */
export const origins = list.superRefine((given, context) => {
  for (const text of given)
    if (!URL.canParse(text) || new URL(text).origin !== text)
      context.addIssue({
        code: 'custom',
        message: `must list origins such as https://app.example.com, without a path or a slash at the end, not "${text}"`,
      });
});

/** A URL with one of the given protocols. */
export const url = (protocols: readonly string[]) =>
  z.string().superRefine((text, context) => {
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol.slice(0, -1)))
      context.addIssue({
        code: 'custom',
        message: `must be a URL beginning with ${protocols.map((p) => `${p}://`).join(' or ')}`,
      });
  });

/** A JSON value that matches a schema. */
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

/** Headers as OpenTelemetry writes them: `name=value` with commas between, values percent-encoded. */
export const headers = list.transform((members, context): Readonly<Record<string, string>> => {
  const read: Record<string, string> = {};
  for (const member of members) {
    const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*(.+)$/.exec(member) ?? [];
    const decoded = decodedOf(value);
    if (name === undefined || decoded === null) {
      // The value may be a credential: only its place is said.
      const place = members.indexOf(member) + 1;
      context.addIssue({
        code: 'custom',
        message: `must list name=value with commas between; member ${place} is not`,
      });
      return z.NEVER;
    }
    read[name.toLowerCase()] = decoded;
  }
  return read;
});

/** A URL with `{trace_id}` in it. */
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
