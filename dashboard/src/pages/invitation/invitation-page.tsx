import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useState } from 'react';
import {
  acceptInvitation,
  answer,
  ApiError,
  invitationQuery,
  signedIn,
  signInQuery,
} from '../../api/index.ts';
import { useLinkToken } from '../../shell/link-token.ts';
import { Outside } from '../../shell/outside.tsx';
import { texts } from '../../texts/en/invitation.ts';
import {
  Button,
  buttonClasses,
  ErrorNote,
  Field,
  Input,
  NewPasswordField,
  useSubmit,
} from '../../ui/index.ts';

export function InvitationPage() {
  const [token, forgetToken] = useLinkToken('/invitation');
  const [refused, setRefused] = useState(false);
  if (token === null) return <LinkNeeded wasRefused={refused} />;
  return (
    <Invitation
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
    <Outside title={wasRefused ? texts.invalidTitle : texts.linkMissingTitle} description={texts.invalidHint}>
      <Link to="/login" className={buttonClasses()}>
        {texts.signIn}
      </Link>
    </Outside>
  );
}

interface ForTokenProps {
  readonly token: string;
  readonly onRefused: () => void;
}

function Invitation({ token, onRefused }: ForTokenProps) {
  const { data: invitation, error } = useQuery(invitationQuery(token));
  const { data: signIn } = useQuery(signInQuery);
  const isRefused = error instanceof ApiError && error.code === 'invalid_invitation';
  useEffect(() => {
    if (isRefused) onRefused();
  }, [isRefused, onRefused]);
  if (invitation === undefined || signIn === undefined)
    return (
      <Outside key="loading" title={texts.invitation}>
        {error === null || isRefused ? (
          <p className="text-text-2">{texts.loadingInvitation}</p>
        ) : (
          <ErrorNote error={error} title={texts.couldNotLoad} />
        )}
      </Outside>
    );
  const { team, invited_by, email, role } = invitation;
  const isOwn = signIn?.user.email === email;
  return (
    <Outside
      key="loaded"
      title={texts.joinTeam(team.name)}
      description={
        <>
          {texts.invitedBy(
            invited_by.name,
            invited_by.email,
            <strong className="font-medium">{email}</strong>,
            team.name,
            role,
          )}
        </>
      }
    >
      {signIn !== null && !isOwn && (
        <p className="mb-4 rounded-md bg-waiting-soft px-3 py-2 text-waiting">
          {texts.otherAccount(signIn.user.email, email)}
        </p>
      )}
      <AcceptForm token={token} isSignedIn={isOwn} onRefused={onRefused} />
    </Outside>
  );
}

interface AcceptFormProps extends ForTokenProps {
  /** Whether the user is signed in. A signed-in user accepts the invitation without a name and a password. */
  readonly isSignedIn: boolean;
}

function AcceptForm({ token, isSignedIn, onRefused }: AcceptFormProps) {
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
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {submission.note !== null && <ErrorNote error={submission.note} title={texts.notJoined} />}
      {!isSignedIn && (
        <>
          <p className="text-text-2">{texts.credentialsHint}</p>
          <Field label={texts.name} error={submission.faultOf('name')}>
            <Input autoComplete="name" value={name} onChange={(event) => setName(event.target.value)} />
          </Field>
          <NewPasswordField
            label={texts.password}
            value={password}
            onChange={setPassword}
            sent={false}
            fault={submission.faultOf('password')}
          />
        </>
      )}
      <Button type="submit" kind="primary" busy={submission.busy}>
        {texts.join}
      </Button>
    </form>
  );
}
