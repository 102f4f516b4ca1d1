import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { answer, ApiError, createFirstAdmin, setUpQuery, signedIn } from '../../api/index.ts';
import { useLinkToken } from '../../shell/link-token.ts';
import { Outside } from '../../shell/outside.tsx';
import { texts } from '../../texts/en/set-up.ts';
import {
  Button,
  buttonClasses,
  ErrorNote,
  Field,
  Input,
  isShortPassword,
  NewPasswordField,
  useFailure,
} from '../../ui/index.ts';

/** Page that creates the first admin account. At its first start, the service prints the link to this page. */
export function SetUpPage() {
  const [token, forgetToken] = useLinkToken('/setup');
  const { data } = useQuery(setUpQuery);
  const [refused, setRefused] = useState<Refusal | null>(null);
  const refuse = (code: Refusal): void => {
    forgetToken();
    setRefused(code);
  };
  if (data?.open === false || refused === 'already_set_up') return <AlreadySetUp />;
  if (token === null) return <LinkNeeded wasRefused={refused !== null} />;
  return <AdminForm key={token} token={token} onRefused={refuse} />;
}

type Refusal = 'invalid_set_up_link' | 'already_set_up';

function AlreadySetUp() {
  return (
    <Outside title={texts.accountExists} description={texts.accountExistsHint}>
      <Link to="/login" className={buttonClasses({ kind: 'primary' })}>
        {texts.signIn}
      </Link>
    </Outside>
  );
}

function LinkNeeded({ wasRefused }: { readonly wasRefused: boolean }) {
  return (
    <Outside title={wasRefused ? texts.linkInvalid : texts.linkMissing} description={texts.linkHint}>
      <p className="text-text-2">{texts.newLinkHint(<code className="mono">npm start</code>)}</p>
    </Outside>
  );
}

interface AdminFormProps {
  readonly token: string;
  readonly onRefused: (code: Refusal) => void;
}

function AdminForm({ token, onRefused }: AdminFormProps) {
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useFailure();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setSent(true);
    if (isShortPassword(password)) return;
    setBusy(true);
    setError(null);
    try {
      const body = { token, email, password, ...(name.trim() === '' ? {} : { name: name.trim() }) };
      signedIn(await answer(createFirstAdmin({ body })));
      await navigate({ to: '/' });
    } catch (failure) {
      const code = failure instanceof ApiError ? failure.code : '';
      if (code === 'invalid_set_up_link' || code === 'already_set_up') onRefused(code);
      else setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const faultOf = (field: string): string | undefined =>
    error instanceof ApiError ? error.faultOf(field) : undefined;
  const isElsewhere =
    error !== null && ['email', 'name', 'password'].every((field) => faultOf(field) === undefined);
  return (
    <Outside title={texts.createAdminAccount} description={texts.createHint}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {isElsewhere && <ErrorNote error={error} title={texts.accountWasNotCreated} />}
        <Field label={texts.email} required error={faultOf('email')}>
          <Input
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- The form is the only content of the page.
            autoFocus
            type="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Field label={texts.name} error={faultOf('name')}>
          <Input autoComplete="name" value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <NewPasswordField
          label={texts.password}
          value={password}
          onChange={setPassword}
          sent={sent}
          fault={faultOf('password')}
        />
        <Button type="submit" kind="primary" busy={busy}>
          {texts.createAccount}
        </Button>
      </form>
    </Outside>
  );
}
