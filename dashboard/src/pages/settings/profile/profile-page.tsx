import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { meQuery } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-profile.ts';
import { Id, LoadFailed, PageHeader, SkeletonRows } from '../../../ui/index.ts';
import { AddressesForm } from './addresses-form.tsx';
import { NameForm } from './name-form.tsx';
import { PreferencesForm } from './preferences-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { SignIns } from './sign-ins.tsx';

export function ProfilePage() {
  const { data, error, refetch } = useQuery(meQuery);
  return (
    <>
      <PageHeader title={texts.profile} />
      {error !== null && <LoadFailed error={error} title={texts.couldNotLoadProfile} onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonRows />}
      {data !== undefined && (
        <div className="divide-y divide-border">
          <Part title={texts.you} description={texts.nameHint}>
            <dl className="mb-4 grid grid-cols-[80px_minmax(0,1fr)] gap-y-1.5">
              <dt className="text-text-2">{texts.email}</dt>
              <dd className="break-words">{data.email}</dd>
              <dt className="text-text-2">{texts.id}</dt>
              <dd>
                <Id value={data.id} of={texts.theAccount} whole />
              </dd>
            </dl>
            <NameForm key={data.name} userId={data.id} name={data.name} />
          </Part>
          {data.preferences !== undefined && (
            <Part title={texts.preferences} description={texts.preferencesHint}>
              <PreferencesForm preferences={data.preferences} />
            </Part>
          )}
          <Part title={texts.password} description={texts.passwordHint}>
            <PasswordForm email={data.email} />
          </Part>
          <Part title={texts.allowedAddresses} description={texts.addressesHint}>
            <AddressesForm
              userId={data.id}
              listed={data.api_key_restrictions?.allowed_ips ?? null}
              own={data.address}
            />
          </Part>
          <Part title={texts.signIns} description={texts.signInsHint}>
            <SignIns />
          </Part>
        </div>
      )}
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly description: string;
  readonly children: ReactNode;
}

function Part({ title, description, children }: PartProps) {
  return (
    <section
      aria-label={title}
      className="grid grid-cols-[240px_minmax(0,520px)] gap-x-8 gap-y-3 p-5 max-lg:grid-cols-1"
    >
      <div>
        <h2 className="text-title font-semibold">{title}</h2>
        <p className="mt-1 text-text-2">{description}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
