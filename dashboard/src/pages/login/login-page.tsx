import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { answer, ApiError, setUpQuery, signedIn, signIn } from '../../api/index.ts';
import { duration } from '../../format/index.ts';
import { Outside } from '../../shell/outside.tsx';
import { Button, ErrorNote, Field, Input, useFailure, useUrlSearch } from '../../ui/index.ts';
import { nextPage } from './next-page.ts';
import { useCountdown } from './use-countdown.ts';

export function LoginPage() {
  const router = useRouter();
  const [{ next }] = useUrlSearch();
  const { data: setUp } = useQuery(setUpQuery);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useFailure();
  const [busy, setBusy] = useState(false);
  const [lockedFor, lockFor] = useCountdown();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      signedIn(await answer(signIn({ body: { email, password } })));
      router.history.push(`${router.basepath}${nextPage(next)}`);
    } catch (failure) {
      setError(failure);
      // What was typed was not what was wrong.
      if (failure instanceof ApiError && failure.isUnavailable) return;
      setPassword('');
      if (failure instanceof ApiError && failure.retryAfter !== null) lockFor(failure.retryAfter);
    } finally {
      setBusy(false);
    }
  };
  const isLocked = lockedFor > 0;
  const isLockedOut = error instanceof ApiError && error.retryAfter !== null && !error.isUnavailable;
  return (
    <Outside title="Sign in">
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {isLocked && <LockedOut seconds={lockedFor} />}
        {error !== null && !isLockedOut && <ErrorNote error={error} title="You are not signed in." />}
        {setUp?.open === true && (
          <p className="rounded-md bg-waiting-soft px-3 py-2 text-waiting">
            There is no account yet. Open the link that the service printed when it started.
          </p>
        )}
        <Field label="Email" required>
          <Input
            type="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Field label="Password" required>
          <Input
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        <Button type="submit" kind="primary" busy={busy} disabled={isLocked}>
          Sign in
        </Button>
      </form>
    </Outside>
  );
}

/** Said once aloud; the seconds run for the eyes. */
function LockedOut({ seconds }: { readonly seconds: number }) {
  return (
    <div className="rounded-md bg-failed-soft px-3 py-2 text-failed">
      <p role="alert">Too many wrong passwords. Signing in is closed for a while.</p>
      <p className="num" aria-hidden>
        Try again in {duration(seconds * 1000).replace('.0 s', ' s')}.
      </p>
    </div>
  );
}
