import { Field, Input, Select } from '../../ui/index.ts';
import { type HookDraft, VERIFICATIONS, type VerificationType } from './hook-form.ts';

interface VerificationFieldsProps {
  readonly draft: HookDraft;
  readonly set: (changes: Partial<HookDraft>) => void;
  readonly faultOf: (field: string) => string | undefined;
}

/** How requests prove where they come from. */
export function VerificationFields({ draft, set, faultOf }: VerificationFieldsProps) {
  const { verification } = draft;
  const hasHeader = verification === 'hmac' || verification === 'bearer';
  return (
    <>
      <Field label="Verification" required>
        <Select
          value={verification}
          onChange={({ target }) => set({ verification: target.value as VerificationType })}
        >
          {VERIFICATIONS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      {verification !== 'none' && (
        <Field
          label="Secret"
          required
          hint={
            verification === 'basic'
              ? 'Name of a secret of the project, whose value is user:password.'
              : 'Name of a secret of the project, not its value.'
          }
          error={faultOf('verification.secret')}
        >
          <Input
            value={draft.secret}
            placeholder="GITHUB_WEBHOOK"
            autoComplete="off"
            onChange={({ target }) => set({ secret: target.value })}
          />
        </Field>
      )}
      {hasHeader && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Header" error={faultOf('verification.header')}>
            <Input
              value={draft.header}
              placeholder={verification === 'hmac' ? 'X-Signature' : 'Authorization'}
              onChange={({ target }) => set({ header: target.value })}
            />
          </Field>
          <Field label="Prefix" hint="Text before the value." error={faultOf('verification.prefix')}>
            <Input
              value={draft.prefix}
              placeholder={verification === 'hmac' ? 'sha256=' : 'Bearer'}
              onChange={({ target }) => set({ prefix: target.value })}
            />
          </Field>
        </div>
      )}
      {verification === 'hmac' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Algorithm" required>
            <Select
              value={draft.algorithm}
              onChange={({ target }) => set({ algorithm: target.value as HookDraft['algorithm'] })}
            >
              <option value="sha256">SHA-256</option>
              <option value="sha512">SHA-512</option>
              <option value="sha1">SHA-1</option>
            </Select>
          </Field>
          <Field label="Encoding" required>
            <Select
              value={draft.encoding}
              onChange={({ target }) => set({ encoding: target.value as HookDraft['encoding'] })}
            >
              <option value="hex">Hex</option>
              <option value="base64">Base64</option>
            </Select>
          </Field>
        </div>
      )}
    </>
  );
}
