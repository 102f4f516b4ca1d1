import { texts } from '../../texts/en/hooks.ts';
import { Field, Input, Select } from '../../ui/index.ts';
import { type HookDraft, VERIFICATIONS, type VerificationType } from './hook-form.ts';

interface VerificationFieldsProps {
  readonly draft: HookDraft;
  readonly set: (changes: Partial<HookDraft>) => void;
  readonly faultOf: (field: string) => string | undefined;
}

export function VerificationFields({ draft, set, faultOf }: VerificationFieldsProps) {
  const { verification } = draft;
  const hasHeader = verification === 'hmac' || verification === 'bearer';
  return (
    <>
      <Field label={texts.verification} required>
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
          label={texts.secret}
          required
          hint={verification === 'basic' ? texts.basicSecretHint : texts.secretHint}
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
          <Field label={texts.header} error={faultOf('verification.header')}>
            <Input
              value={draft.header}
              placeholder={verification === 'hmac' ? 'X-Signature' : 'Authorization'}
              onChange={({ target }) => set({ header: target.value })}
            />
          </Field>
          <Field label={texts.prefix} hint={texts.prefixHint} error={faultOf('verification.prefix')}>
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
          <Field label={texts.algorithm} required>
            <Select
              value={draft.algorithm}
              onChange={({ target }) => set({ algorithm: target.value as HookDraft['algorithm'] })}
            >
              <option value="sha256">SHA-256</option>
              <option value="sha512">SHA-512</option>
              <option value="sha1">SHA-1</option>
            </Select>
          </Field>
          <Field label={texts.encoding} required>
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
