import { ApiError, runActions } from '../../api/index.ts';
import { ConfirmDialog } from '../../ui/index.ts';

interface DecisionDialogProps {
  /** Of what is to be decided. */
  readonly title: string;
  readonly decision: 'approve' | 'reject';
  /** The link that decides so. */
  readonly url: string;
  readonly onClose: () => void;
}

/** The answers of a link are pages for people; here they are told in a sentence. */
const REFUSALS: Readonly<Record<number, string>> = {
  404: 'This decision is not known any more. Load the page again.',
  409: 'Somebody has decided already. The run goes on by that decision.',
  410: 'It is too late: the node waits no longer.',
};

/** A decision is taken once and cannot be taken back: it asks. */
export function DecisionDialog({ title, decision, url, onClose }: DecisionDialogProps) {
  const isApproval = decision === 'approve';
  const decide = async (): Promise<void> => {
    try {
      await runActions.decide(url);
    } catch (error) {
      const message = error instanceof ApiError ? REFUSALS[error.status] : undefined;
      throw message === undefined || !(error instanceof ApiError)
        ? error
        : new ApiError(error.status, { code: 'not_decided', message });
    }
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${isApproval ? 'Approve' : 'Reject'} “${title}”?`}
      description="It is decided once, for everybody. The run goes on from here by what you say."
      action={isApproval ? 'Approve' : 'Reject'}
      kind={isApproval ? 'primary' : 'danger'}
      onConfirm={decide}
    />
  );
}
