import { useState } from 'react';
import { runActions } from '../../api/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { ConfirmDialog, Field, TextArea } from '../../ui/index.ts';

interface DecisionDialogProps {
  readonly title: string;
  readonly decision: 'approve' | 'reject';
  /** URL that records the decision. The last path segment of the URL is the token of the decision. */
  readonly url: string;
  readonly onClose: () => void;
}

/** Dialog to confirm the approval or rejection of a waiting node, because the decision is final. */
export function DecisionDialog({ title, decision, url, onClose }: DecisionDialogProps) {
  const [comment, setComment] = useState('');
  const isApproval = decision === 'approve';
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${isApproval ? texts.approve : texts.reject} “${title}”?`}
      description={texts.decisionIsFinal}
      action={isApproval ? texts.approve : texts.reject}
      kind={isApproval ? 'primary' : 'danger'}
      onConfirm={async () => {
        await runActions.decide(url.slice(url.lastIndexOf('/') + 1), comment);
      }}
    >
      <Field label={texts.comment} hint={texts.commentHint}>
        <TextArea
          rows={3}
          maxLength={2000}
          value={comment}
          onChange={({ target }) => setComment(target.value)}
          className="!font-sans"
        />
      </Field>
    </ConfirmDialog>
  );
}
