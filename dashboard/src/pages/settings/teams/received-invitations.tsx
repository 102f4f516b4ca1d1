import { useQuery } from '@tanstack/react-query';
import {
  acceptReceivedInvitation,
  answer,
  csrfHeaders,
  declineReceivedInvitation,
  queryClient,
  receivedInvitationsQuery,
  signInQuery,
} from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-teams.ts';
import { Button, ErrorNote, Time, useSubmit, useToast } from '../../../ui/index.ts';

export function ReceivedInvitations() {
  const { data, error } = useQuery(receivedInvitationsQuery);
  const submission = useSubmit();
  const toast = useToast();
  const done = async (text: string): Promise<void> => {
    await Promise.all(
      ['received-invitations', 'teams'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
    );
    toast(text);
  };
  const accept = (id: string, team: string): Promise<boolean> =>
    submission.send(async () => {
      const signIn = await answer(acceptReceivedInvitation({ headers: csrfHeaders(), path: { id } }));
      queryClient.setQueryData(signInQuery.queryKey, signIn);
      await done(texts.youJoined(team));
    });
  const decline = (id: string): Promise<boolean> =>
    submission.send(async () => {
      await answer(declineReceivedInvitation({ headers: csrfHeaders(), path: { id } }));
      await done(texts.invitationDeclined);
    });
  const failure = error ?? submission.note;
  if (failure === null && (data?.data.length ?? 0) === 0) return null;
  return (
    <section aria-label={texts.invitationsToYou} className="border-t border-border p-5">
      <h2 className="text-title font-semibold">{texts.invitationsToYou}</h2>
      {failure !== null && <ErrorNote error={failure} />}
      <ul className="mt-3 divide-y divide-border rounded-md border border-border">
        {(data?.data ?? []).map(({ id, team, invited_by, role, expires_at }) => (
          <li key={id} className="flex items-center gap-3 px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{team.name}</p>
              <p className="text-small text-text-3">
                {texts.invitedAs(role, invited_by.name, invited_by.email, <Time value={expires_at} />)}
              </p>
            </div>
            <Button
              busy={submission.busy}
              aria-label={texts.declineInvitationTo(team.name)}
              onClick={() => void decline(id)}
            >
              {texts.decline}
            </Button>
            <Button
              kind="primary"
              busy={submission.busy}
              aria-label={texts.joinTeam(team.name)}
              onClick={() => void accept(id, team.name)}
            >
              {texts.join}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
