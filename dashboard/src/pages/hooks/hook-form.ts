import type { HookView } from '../../api/index.ts';
import { texts } from '../../texts/en/hooks.ts';

export type Action = HookView['action'];
export type VerificationType = HookView['verification']['type'];
type Verification = HookView['verification'];

export interface HookDraft {
  readonly action: Action;
  readonly workflowId: string;
  readonly name: string;
  readonly signalName: string;
  readonly executionKey: string;
  readonly verification: VerificationType;
  readonly secret: string;
  readonly header: string;
  readonly prefix: string;
  readonly algorithm: NonNullable<Verification['algorithm']>;
  readonly encoding: NonNullable<Verification['encoding']>;
  readonly input: string;
  readonly deduplication: string;
  readonly respond: HookView['respond'];
}

export const VERIFICATIONS: readonly (readonly [VerificationType, string])[] = [
  ['none', texts.verificationNone],
  ['github', texts.gitHubSignature],
  ['stripe', texts.stripeSignature],
  ['standard_webhooks', texts.standardWebhooksSignature],
  ['hmac', texts.hmacSignatureInHeader],
  ['bearer', texts.tokenInHeader],
  ['basic', texts.verificationBasic],
];

export function draftOf(hook: HookView | undefined): HookDraft {
  return {
    action: hook?.action ?? 'start',
    workflowId: hook?.workflow_id ?? '',
    name: hook?.name ?? '',
    signalName: hook?.signal?.name ?? '',
    executionKey: hook?.signal?.execution_key ?? '',
    verification: hook?.verification.type ?? 'none',
    secret: hook?.verification.secret ?? '',
    header: hook?.verification.header ?? '',
    prefix: hook?.verification.prefix ?? '',
    algorithm: hook?.verification.algorithm ?? 'sha256',
    encoding: hook?.verification.encoding ?? 'hex',
    input: templateText(hook === undefined ? '{{ request.body }}' : hook.input),
    deduplication: hook?.deduplication ?? '',
    respond: hook?.respond ?? 'accepted',
  };
}

/** The request body for a form. Invalid text is sent unchanged, so that the service reports the error to the user. */
export function fieldsOf(draft: HookDraft): Readonly<Record<string, unknown>> {
  const name = draft.name.trim();
  return {
    ...(name === '' ? {} : { name }),
    signal:
      draft.action === 'signal'
        ? { name: draft.signalName.trim(), execution_key: draft.executionKey.trim() }
        : null,
    verification: verificationOf(draft),
    input: templateOf(draft.input),
    deduplication: draft.deduplication.trim() === '' ? null : draft.deduplication.trim(),
    respond: draft.action === 'signal' ? 'accepted' : draft.respond,
  };
}

/**
 * Parses the input template of a hook. Text that is not JSON, such as `{{ request.body }}`, becomes a string, and empty
 * text becomes null.
 */
export function templateOf(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}

function templateText(template: unknown): string {
  if (template === null || template === undefined) return '';
  const isPlain = typeof template === 'string' && templateOf(template) === template;
  return isPlain ? template : JSON.stringify(template, null, 2);
}

function verificationOf(draft: HookDraft): Verification {
  const { verification: type } = draft;
  const secret = draft.secret.trim();
  const header = draft.header.trim();
  const own = {
    ...(header === '' ? {} : { header }),
    ...(draft.prefix === '' ? {} : { prefix: draft.prefix }),
  };
  if (type === 'none') return { type };
  if (type === 'bearer') return { type, secret, ...own };
  if (type === 'hmac') return { type, secret, ...own, algorithm: draft.algorithm, encoding: draft.encoding };
  return { type, secret };
}

/** Describes for users what a hook does: start a workflow, or send a signal. */
export function actionText({ action, signal }: HookView): string {
  return action === 'start' ? texts.startsWorkflow : texts.sendsSignal(signal?.name ?? '');
}

export function curlOf(url: string, method: string): string {
  return `curl -X ${method} ${url} \\\n  -H "Content-Type: application/json" -d '{"hello":"world"}'`;
}
