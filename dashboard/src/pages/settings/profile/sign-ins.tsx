import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, csrfHeaders, endSignIn, signInsQuery } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-profile.ts';
import { Button, ErrorNote, SkeletonRows, Time, useSubmit, useToast } from '../../../ui/index.ts';

export function SignIns() {
  const { data, error } = useQuery(signInsQuery);
  const queryClient = useQueryClient();
  const submission = useSubmit();
  const toast = useToast();
  if (error !== null) return <ErrorNote error={error} title={texts.couldNotLoadSignIns} />;
  if (data === undefined) return <SkeletonRows rows={2} />;
  const end = (id: string): Promise<boolean> =>
    submission.send(async () => {
      await answer(endSignIn({ headers: csrfHeaders(), path: { id } }));
      await queryClient.invalidateQueries({ queryKey: signInsQuery.queryKey });
      toast(texts.signInEnded);
    });
  return (
    <>
      {submission.note !== null && <ErrorNote error={submission.note} title={texts.signInNotEnded} />}
      <ul className="divide-y divide-border rounded-md border border-border">
        {data.data.map((signIn) => (
          <li key={signIn.id} className="flex items-center gap-3 px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate" title={signIn.user_agent}>
                {browserOf(signIn.user_agent)} <code className="mono text-text-2">{signIn.address}</code>
              </p>
              <p className="text-small text-text-3">
                {texts.signInTimes(<Time value={signIn.created_at} />, <Time value={signIn.last_seen_at} />)}
              </p>
            </div>
            {signIn.current ? (
              <span className="text-small text-text-2">{texts.thisBrowser}</span>
            ) : (
              <Button
                kind="danger"
                busy={submission.busy}
                aria-label={texts.endSignInFrom(signIn.address)}
                onClick={() => void end(signIn.id)}
              >
                {texts.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

function browserOf(userAgent: string): string {
  return BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1] ?? texts.unknownProgram;
}
