import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, invitationsQuery, withdrawInvitation } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-members.ts';
import { Button, ErrorNote, Time, useSubmit, useToast } from '../../../ui/index.ts';

/** List of the invitations to a team that are still open because the invited person has not accepted. */
export function OpenInvitations({
  teamId,
  mayWithdraw,
}: {
  readonly teamId: string;
  readonly mayWithdraw: boolean;
}) {
  const { data, error } = useQuery(invitationsQuery(teamId));
  const queryClient = useQueryClient();
  const submission = useSubmit();
  const toast = useToast();
  const withdraw = (id: string): Promise<boolean> =>
    submission.send(async () => {
      await answer(withdrawInvitation({ path: { id: teamId, invitation_id: id } }));
      await queryClient.invalidateQueries({ queryKey: ['invitations'] });
      toast(texts.invitationWithdrawn);
    });
  const failure = error ?? submission.note;
  if (failure === null && (data?.data.length ?? 0) === 0) return null;
  return (
    <section aria-label={texts.openInvitations} className="border-t border-border p-5">
      <h2 className="text-title font-semibold">{texts.openInvitations}</h2>
      {failure !== null && <ErrorNote error={failure} />}
      <ul className="mt-3 divide-y divide-border rounded-md border border-border">
        {(data?.data ?? []).map(({ id, email, role, expires_at }) => (
          <li key={id} className="flex items-center gap-3 px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate">{email}</p>
              <p className="text-small text-text-3">{texts.invitedAs(role, <Time value={expires_at} />)}</p>
            </div>
            {mayWithdraw && (
              <Button
                kind="danger"
                busy={submission.busy}
                aria-label={texts.withdrawInvitationOf(email)}
                onClick={() => void withdraw(id)}
              >
                {texts.withdraw}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
