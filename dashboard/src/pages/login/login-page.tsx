import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { answer, ApiError, setUpQuery, signedIn, signIn } from '../../api/index.ts';
import { duration } from '../../format/index.ts';
import { Outside } from '../../shell/outside.tsx';
import { texts } from '../../texts/en/login.ts';
import { Button, ErrorNote, Field, Input, useFailure, useUrlSearch } from '../../ui/index.ts';
import { nextPage } from './next-page.ts';
import { useCountdown } from './use-countdown.ts';
import { useIsSlow } from './use-is-slow.ts';

export function LoginPage() {
  const router = useRouter();
  const [{ next }] = useUrlSearch();
  const { data: setUp } = useQuery(setUpQuery);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useFailure();
  const [busy, setBusy] = useState(false);
  const [waitsFor, waitFor] = useCountdown();
  const isSlow = useIsSlow(busy);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      signedIn(await answer(signIn({ body: { email, password } })));
      router.history.push(`${router.basepath}${nextPage(next)}`);
    } catch (failure) {
      setError(failure);
      // If the service is unavailable, the form keeps the password, because the service has not rejected it.
      if (failure instanceof ApiError && failure.isUnavailable) return;
      setPassword('');
      if (failure instanceof ApiError && failure.retryAfter !== null) waitFor(failure.retryAfter);
    } finally {
      setBusy(false);
    }
  };
  const mustWait = waitsFor > 0;
  const isRefusal = error instanceof ApiError && error.retryAfter !== null && !error.isUnavailable;
  return (
    <Outside title={texts.signIn}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {mustWait && <TooManyAttempts seconds={waitsFor} />}
        {isSlow && (
          <p role="status" className="rounded-md bg-waiting-soft px-3 py-2 text-waiting">
            {texts.checkingPassword}
          </p>
        )}
        {error !== null && !isRefusal && <ErrorNote error={error} title={texts.signInFailed} />}
        {setUp?.open === true && (
          <p className="rounded-md bg-waiting-soft px-3 py-2 text-waiting">{texts.noAccountYet}</p>
        )}
        <Field label={texts.email} required>
          <Input
            type="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Field label={texts.password} required>
          <Input
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        <Button type="submit" kind="primary" busy={busy} disabled={mustWait}>
          {texts.signIn}
        </Button>
      </form>
    </Outside>
  );
}

/**
 * Note after too many attempts to sign in. Screen readers announce the note once, but not the countdown, which changes
 * every second.
 */
function TooManyAttempts({ seconds }: { readonly seconds: number }) {
  return (
    <div className="rounded-md bg-failed-soft px-3 py-2 text-failed">
      <p role="alert">{texts.tooManyAttempts}</p>
      <p className="num" aria-hidden>
        {texts.tryAgainIn(duration(seconds * 1000).replace('.0 s', ' s'))}
      </p>
    </div>
  );
}
