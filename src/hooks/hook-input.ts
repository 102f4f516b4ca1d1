import { SIGNAL_NAME } from '../engine/index.js';
import { ValidationError } from '../errors/index.js';
import { defined } from '../platform/index.js';
import type { ChangeHookBody, CreateHookBody } from './hook.dto.js';
import type { Hook } from './hook.js';
import { DEFAULT_TOLERANCE_SECONDS, type Verification } from './verification.js';

export type HookInput = Partial<
  Pick<
    Hook,
    'name' | 'signal' | 'methods' | 'verification' | 'input' | 'deduplication' | 'respond' | 'status'
  >
>;

type VerificationBody = NonNullable<CreateHookBody['verification']>;
type VerificationField = Exclude<keyof VerificationBody, 'type'>;

const FIELDS: Readonly<Record<Verification['type'], readonly VerificationField[]>> = {
  none: [],
  bearer: ['secret', 'header', 'prefix'],
  basic: ['secret'],
  hmac: ['secret', 'header', 'algorithm', 'encoding', 'prefix'],
  github: ['secret'],
  stripe: ['secret', 'tolerance_seconds'],
  standard_webhooks: ['secret', 'tolerance_seconds'],
};

/** @throws ValidationError for an invalid combination of fields */
export function hookInput(body: ChangeHookBody): HookInput {
  const { signal, verification } = body;
  if (signal !== undefined && signal !== null && !SIGNAL_NAME.test(signal.name))
    throw ValidationError.of(
      'signal.name',
      'is_signal_name',
      'must consist of letters, digits, dots, hyphens and underscores, and start with a letter or digit',
    );
  return defined({
    name: body.name,
    signal:
      signal === undefined || signal === null
        ? signal
        : { name: signal.name, executionKey: signal.execution_key },
    methods: body.methods,
    verification: verification === undefined ? undefined : verificationOf(verification),
    input: body.input,
    deduplication: body.deduplication,
    respond: body.respond,
    status: body.status,
  });
}

function verificationOf(body: VerificationBody): Verification {
  const { type, secret } = body;
  const fields: readonly string[] = FIELDS[type];
  for (const [name, value] of Object.entries(body))
    if (name !== 'type' && value !== undefined && !fields.includes(name))
      throw ValidationError.of(
        `verification.${name}`,
        'not_of_type',
        `is not a field of verification type ${type}`,
      );
  if (type === 'none') return { type };
  if (secret === undefined)
    throw ValidationError.of('verification.secret', 'required', `is required for verification type ${type}`);
  switch (type) {
    case 'bearer': {
      const { header = 'Authorization', prefix } = body;
      const isDefault = header.toLowerCase() === 'authorization';
      return { type, secret, header, prefix: prefix ?? (isDefault ? 'Bearer ' : '') };
    }
    case 'hmac': {
      const { header = 'X-Signature', algorithm = 'sha256', encoding = 'hex', prefix = '' } = body;
      return { type, secret, header, algorithm, encoding, prefix };
    }
    case 'stripe':
    case 'standard_webhooks':
      return { type, secret, tolerance_seconds: body.tolerance_seconds ?? DEFAULT_TOLERANCE_SECONDS };
    default:
      return { type, secret };
  }
}
