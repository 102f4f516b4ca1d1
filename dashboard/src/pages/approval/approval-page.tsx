import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { approvalQuery, type ApprovalView, runActions } from '../../api/index.ts';
import { texts } from '../../texts/en/approval.ts';
import {
  Button,
  buttonClasses,
  ErrorNote,
  Fact,
  Field,
  PageHeader,
  shortId,
  TextArea,
  Time,
  useSubmit,
} from '../../ui/index.ts';

const CLOSED: Readonly<Record<Exclude<ApprovalView['status'], 'open'>, string>> = {
  decided: texts.alreadyDecided,
  expired: texts.expired,
  finished: texts.executionEnded,
};

const REFUSALS: Readonly<Record<NonNullable<ApprovalView['refusal']>, string>> = {
  sign_in_needed: texts.signInToDecide,
  not_named: texts.notApprover,
  is_starter: texts.ownExecution,
};

export function ApprovalPage() {
  const { token } = useParams({ from: '/inside/approvals/$token' });
  const { data: approval, error } = useQuery(approvalQuery(token));
  return (
    <>
      <PageHeader title={approval?.title ?? texts.approval} />
      <div className="flex max-w-[560px] flex-col gap-4 p-5">
        {error !== null && <ErrorNote error={error} title={texts.couldNotLoad} />}
        {approval !== undefined && <Decide token={token} approval={approval} />}
      </div>
    </>
  );
}

function Decide({ token, approval }: { readonly token: string; readonly approval: ApprovalView }) {
  const { status, refusal, description, decision, execution_id } = approval;
  const [comment, setComment] = useState('');
  const submission = useSubmit();
  const queryClient = useQueryClient();
  const decide = (): Promise<boolean> =>
    submission.send(async () => {
      await runActions.decide(token, comment);
      await queryClient.invalidateQueries({ queryKey: ['approval'] });
    });
  return (
    <>
      {description !== null && <p>{description}</p>}
      <Facts approval={approval} />
      {submission.note !== null && <ErrorNote error={submission.note} title={texts.notRecorded} />}
      {status !== 'open' && <p>{CLOSED[status]}</p>}
      {status === 'open' && refusal !== null && <p>{REFUSALS[refusal]}</p>}
      {status === 'open' && refusal === null && (
        <>
          <p className="text-text-2">{texts.decisionIsFinal}</p>
          <Field label={texts.comment} hint={texts.commentHint}>
            <TextArea
              rows={3}
              maxLength={2000}
              value={comment}
              onChange={({ target }) => setComment(target.value)}
              className="!font-sans"
            />
          </Field>
          <Button
            kind={decision === 'approve' ? 'primary' : 'danger'}
            className="self-start"
            busy={submission.busy}
            onClick={() => void decide()}
          >
            {decision === 'approve' ? texts.approve : texts.reject}
          </Button>
        </>
      )}
      <p>
        <Link to="/executions/$id" params={{ id: execution_id }} className={buttonClasses()}>
          {texts.openExecution}
        </Link>
      </p>
    </>
  );
}

function Facts({
  approval: { requested_by, workflow_name, execution_id, expires_at },
}: {
  readonly approval: ApprovalView;
}) {
  return (
    <dl className="flex flex-wrap gap-x-7 gap-y-2">
      {requested_by !== null && <Fact name={texts.requestedBy}>{requested_by}</Fact>}
      <Fact name={texts.workflow}>{workflow_name}</Fact>
      <Fact name={texts.execution}>{shortId(execution_id)}</Fact>
      {expires_at !== null && (
        <Fact name={texts.deadline}>
          <Time value={expires_at} />
        </Fact>
      )}
    </dl>
  );
}
