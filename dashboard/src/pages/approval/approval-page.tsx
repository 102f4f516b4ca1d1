import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { answer, approvalQuery, type ApprovalView, decideApprovalAs } from '../../api/index.ts';
import { Button, buttonClasses, ErrorNote, PageHeader, useSubmit } from '../../ui/index.ts';

const CLOSED: Readonly<Record<Exclude<ApprovalView['status'], 'open'>, string>> = {
  decided: 'This approval is decided.',
  expired: 'The time to decide is over.',
  finished: 'The run has ended and needs no decision.',
};

const REFUSALS: Readonly<Record<NonNullable<ApprovalView['refusal']>, string>> = {
  sign_in_needed: 'Sign in to decide.',
  not_named: 'You are not among the approvers of this decision.',
  is_starter: 'You started the run, so somebody else decides.',
};

/** The page of an approval link: the signed-in user approves or rejects. */
export function ApprovalPage() {
  const { token } = useParams({ from: '/inside/approvals/$token' });
  const { data: approval, error } = useQuery(approvalQuery(token));
  return (
    <>
      <PageHeader title={approval?.title ?? 'Approval'} />
      <div className="flex max-w-[560px] flex-col gap-4 p-5">
        {error !== null && <ErrorNote error={error} title="The approval could not be loaded." />}
        {approval !== undefined && <Decide token={token} approval={approval} />}
      </div>
    </>
  );
}

function Decide({ token, approval }: { readonly token: string; readonly approval: ApprovalView }) {
  const { status, refusal, description, decision, execution_id } = approval;
  const submission = useSubmit();
  const queryClient = useQueryClient();
  const decide = (): Promise<boolean> =>
    submission.send(async () => {
      await answer(decideApprovalAs({ path: { token } }));
      await queryClient.invalidateQueries({ queryKey: ['approval'] });
    });
  return (
    <>
      {description !== null && <p>{description}</p>}
      {submission.note !== null && (
        <ErrorNote error={submission.note} title="Your decision was not recorded." />
      )}
      {status !== 'open' && <p>{CLOSED[status]}</p>}
      {status === 'open' && refusal !== null && <p>{REFUSALS[refusal]}</p>}
      {status === 'open' && refusal === null && (
        <>
          <p className="text-text-2">
            This decision is final and recorded with your name. The run continues accordingly.
          </p>
          <Button
            kind={decision === 'approve' ? 'primary' : 'danger'}
            className="self-start"
            busy={submission.busy}
            onClick={() => void decide()}
          >
            {decision === 'approve' ? 'Approve' : 'Reject'}
          </Button>
        </>
      )}
      <p>
        <Link to="/executions/$id" params={{ id: execution_id }} className={buttonClasses()}>
          Open the run
        </Link>
      </p>
    </>
  );
}
