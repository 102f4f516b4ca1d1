import { Link, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { acceptInvitation, answer, ApiError, signedIn } from '../../api/index.ts';
import { useLinkToken } from '../../shell/link-token.ts';
import { Outside } from '../../shell/outside.tsx';
import {
  Button,
  buttonClasses,
  ErrorNote,
  Field,
  Input,
  NewPasswordField,
  useSubmit,
} from '../../ui/index.ts';

/** Takes up an invitation, by the link that a member handed over. */
export function InvitationPage() {
  const [token, forgetToken] = useLinkToken('/invitation');
  const [refused, setRefused] = useState(false);
  if (token === null) return <LinkNeeded wasRefused={refused} />;
  return (
    <AcceptForm
      key={token}
      token={token}
      onRefused={() => {
        forgetToken();
        setRefused(true);
      }}
    />
  );
}

function LinkNeeded({ wasRefused }: { readonly wasRefused: boolean }) {
  return (
    <Outside
      title={wasRefused ? 'This invitation works no more' : 'Open the link of your invitation'}
      description="A link works once and for seven days. Ask who invited you for a new one, or sign in if you were in already."
    >
      <Link to="/login" className={buttonClasses()}>
        Sign in
      </Link>
    </Outside>
  );
}

interface AcceptFormProps {
  readonly token: string;
  readonly onRefused: () => void;
}

function AcceptForm({ token, onRefused }: AcceptFormProps) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const submission = useSubmit('name', 'password');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    await submission.send(async () => {
      try {
        const body = {
          token,
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          ...(password === '' ? {} : { password }),
        };
        signedIn(await answer(acceptInvitation({ body })));
        await navigate({ to: '/' });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'invalid_invitation') throw error;
        onRefused();
      }
    });
  };
  return (
    <Outside
      title="Join the team"
      description="Choose a name and a password for your account. If you have one already, type its password."
    >
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {submission.note !== null && <ErrorNote error={submission.note} title="You are not in yet." />}
        <Field label="Name" error={submission.faultOf('name')}>
          <Input autoComplete="name" value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <NewPasswordField
          label="Password"
          value={password}
          onChange={setPassword}
          sent={false}
          fault={submission.faultOf('password')}
        />
        <Button type="submit" kind="primary" busy={submission.busy}>
          Join
        </Button>
      </form>
    </Outside>
  );
}
