import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ApiKeyOnWire,
  type CreateKeyBody,
  meQuery,
  type NewApiKeyOnWire,
  projectsQuery,
} from '../../../api/index.ts';
import { absoluteTime } from '../../../format/index.ts';
import { texts } from '../../../texts/en/settings-api-keys.ts';
import {
  AddressesField,
  addressesOf,
  Field,
  FormDialog,
  Input,
  Select,
  useSubmit,
} from '../../../ui/index.ts';
import { AccessFields } from './access-fields.tsx';
import { type Access, accessOf, type Scope } from './key-access.ts';
import { dayOf, EXPIRY_CHOICES, type ExpiryChoice, expiryOf } from './key-expiry.ts';

type Environment = ApiKeyOnWire['environment'];

export const ENVIRONMENTS: readonly { readonly value: Environment; readonly label: string }[] = [
  { value: 'development', label: texts.development },
  { value: 'staging', label: texts.staging },
  { value: 'production', label: texts.production },
];

interface KeyFormProps {
  /** The API key to change; null for a new key. */
  readonly changed: ApiKeyOnWire | null;
  readonly onClose: () => void;
  readonly onSubmit: (body: CreateKeyBody) => Promise<NewApiKeyOnWire | ApiKeyOnWire>;
  readonly onDone: (key: NewApiKeyOnWire | ApiKeyOnWire) => void;
}

interface Fields {
  readonly name: string;
  readonly access: Access;
  readonly scopes: readonly Scope[];
  readonly projectId: string;
  readonly environment: Environment;
  readonly addresses: string;
  readonly expiry: ExpiryChoice;
  readonly day: string;
}

function fieldsOf(key: ApiKeyOnWire | null): Fields {
  if (key === null)
    return {
      name: '',
      access: 'full',
      scopes: ['*'],
      projectId: '',
      environment: 'development',
      addresses: '',
      expiry: '90',
      day: '',
    };
  return {
    name: key.name,
    access: accessOf(key.scopes),
    scopes: key.scopes,
    projectId: key.project_id ?? '',
    environment: key.environment,
    addresses: (key.allowed_ips ?? []).join('\n'),
    expiry: key.expires_at === null ? 'never' : 'custom',
    day: key.expires_at === null ? '' : dayOf(key.expires_at),
  };
}

export function KeyForm({ changed, onClose, onSubmit, onDone }: KeyFormProps) {
  const [fields, setFields] = useState(() => fieldsOf(changed));
  const [missing, setMissing] = useState<Readonly<Record<string, string>>>({});
  const submission = useSubmit('name', 'expires_at', 'scopes', 'project_id', 'environment', 'allowed_ips');
  const { data: projects } = useQuery(projectsQuery);
  const { data: me } = useQuery(meQuery);
  const set = (changes: Partial<Fields>): void => setFields((before) => ({ ...before, ...changes }));
  const faultOf = (field: string): string | undefined => missing[field] ?? submission.faultOf(field);
  const submit = async (): Promise<void> => {
    // If the user did not change the day, the API key keeps its exact time of expiry instead of the end of that day.
    const keptExpiry = changed !== null && fields.expiry === 'custom' && fields.day === fieldsOf(changed).day;
    const expiresAt = keptExpiry ? changed.expires_at : expiryOf(fields.expiry, fields.day, Date.now());
    const faults = {
      ...(fields.name.trim() === '' ? { name: texts.nameMissing } : {}),
      ...(expiresAt === undefined ? { expires_at: texts.dayMissing } : {}),
      ...(fields.scopes.length === 0 ? { scopes: texts.permissionMissing } : {}),
    };
    setMissing(faults);
    if (Object.keys(faults).length > 0) return;
    await submission.send(async () => {
      const key = await onSubmit({
        name: fields.name.trim(),
        scopes: [...fields.scopes],
        environment: fields.environment,
        project_id: fields.projectId === '' ? null : fields.projectId,
        allowed_ips: addressesOf(fields.addresses),
        expires_at: expiresAt,
      });
      onDone(key);
    });
  };
  const listed = addressesOf(fields.addresses)?.length ?? 0;
  return (
    <FormDialog
      onClose={onClose}
      title={changed === null ? texts.createNewKey : texts.editTitle(changed.name)}
      description={changed === null ? texts.createHint : texts.editHint}
      action={changed === null ? texts.createKey : texts.saveChanges}
      submission={submission}
      onSubmit={() => void submit()}
    >
      <Field label={texts.name} required error={faultOf('name')}>
        <Input
          value={fields.name}
          placeholder="ci-prod"
          autoComplete="off"
          onChange={(event) => set({ name: event.target.value })}
        />
      </Field>
      <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
        <Field
          label={texts.expires}
          required
          error={fields.expiry === 'custom' ? undefined : faultOf('expires_at')}
        >
          <Select
            value={fields.expiry}
            onChange={(event) => set({ expiry: event.target.value as ExpiryChoice })}
          >
            {EXPIRY_CHOICES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        {fields.expiry === 'custom' && (
          <Field
            label={texts.expiryDate}
            required
            error={faultOf('expires_at')}
            hint={
              changed !== null && changed.expires_at !== null
                ? texts.currentExpiry(absoluteTime(changed.expires_at))
                : undefined
            }
          >
            <Input type="date" value={fields.day} onChange={(event) => set({ day: event.target.value })} />
          </Field>
        )}
      </div>
      {fields.expiry === 'never' && (
        <p role="alert" className="rounded-md bg-waiting-soft px-3 py-2 text-waiting">
          {texts.neverExpiresWarning}
        </p>
      )}
      <AccessFields
        access={fields.access}
        scopes={fields.scopes}
        error={faultOf('scopes')}
        onChange={(access, scopes) => set({ access, scopes })}
      />
      <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
        <Field label={texts.project} required error={faultOf('project_id')}>
          <Select value={fields.projectId} onChange={(event) => set({ projectId: event.target.value })}>
            <option value="">{texts.allProjects}</option>
            {(projects?.data ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={texts.environment} required error={faultOf('environment')}>
          <Select
            value={fields.environment}
            onChange={(event) => set({ environment: event.target.value as Environment })}
          >
            {ENVIRONMENTS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <details open={listed > 0 || faultOf('allowed_ips') !== undefined || undefined}>
        <summary className="font-medium">
          {texts.allowedAddresses}
          <span className="font-normal text-text-3">
            {listed === 0 ? texts.anyAddressSuffix : `(${texts.entryCount(listed)})`}
          </span>
        </summary>
        <div className="mt-2">
          <AddressesField
            label={texts.addresses}
            text={fields.addresses}
            onChange={(addresses) => set({ addresses })}
            error={faultOf('allowed_ips')}
            own={me?.address}
          />
        </div>
      </details>
    </FormDialog>
  );
}
