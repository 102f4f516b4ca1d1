import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addMember, answer } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-members.ts';
import { Button, CopyButton, Dialog, Field, FormDialog, Input, useSubmit } from '../../../ui/index.ts';
import { RoleField } from './role-field.tsx';
import { type Role } from './roles.ts';

interface InviteDialogProps {
  readonly teamId: string;
  readonly onClose: () => void;
}

/** Dialog that creates an invitation and shows its link. The service does not return the link again. */
export function InviteDialog({ teamId, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [isEmpty, setIsEmpty] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const submission = useSubmit('email', 'role');
  const queryClient = useQueryClient();
  const submit = async (): Promise<void> => {
    setIsEmpty(email.trim() === '');
    if (email.trim() === '') return;
    await submission.send(async () => {
      const body = { email: email.trim(), role };
      const { invitation } = await answer(addMember({ path: { id: teamId }, body }));
      void queryClient.invalidateQueries({ queryKey: ['members'] });
      void queryClient.invalidateQueries({ queryKey: ['invitations'] });
      // The response omits the link only if it repeats an earlier response for the same idempotency key. The
      // dialog then has nothing to show.
      if (invitation.url === undefined) return onClose();
      // If neither `DASHBOARD_URL` nor `BASE_URL` is set, the service returns only the path of the link.
      setLink(new URL(invitation.url, location.origin).href);
    });
  };
  if (link !== null)
    return (
      <Dialog
        open
        onClose={onClose}
        title={texts.linkTitle}
        description={texts.linkHint(email)}
        actions={
          <Button needsService={false} kind="primary" onClick={onClose}>
            {texts.done}
          </Button>
        }
      >
        <div className="flex items-center gap-2 rounded-md border border-control bg-muted py-1.5 pr-1.5 pl-3 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent">
          <input
            readOnly
            aria-label={texts.invitationLink}
            value={link}
            onFocus={(event) => event.target.select()}
            className="mono min-w-0 flex-1 bg-transparent outline-none"
          />
          <CopyButton kind="primary" value={link} />
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      onClose={onClose}
      title={texts.inviteMember}
      description={texts.inviteHint}
      action={texts.invite}
      submission={submission}
      onSubmit={() => void submit()}
    >
      <Field label={texts.email} required error={isEmpty ? texts.emailMissing : submission.faultOf('email')}>
        <Input type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
      </Field>
      <RoleField value={role} onChange={setRole} fault={submission.faultOf('role')} />
    </FormDialog>
  );
}
