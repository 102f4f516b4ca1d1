import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, UserPlus } from 'lucide-react';
import { useState } from 'react';
import {
  answer,
  changeMember,
  membersQuery,
  type MemberView,
  removeMember,
  useMay,
  useSignIn,
} from '../../../api/index.ts';
import {
  Button,
  type Column,
  ConfirmDialog,
  EmptyState,
  FormDialog,
  IconButton,
  ListPage,
  Menu,
  MenuItem,
  MenuSeparator,
  NameText,
  Time,
  useListSearch,
  useSubmit,
  useToast,
} from '../../../ui/index.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { RoleField } from './role-field.tsx';
import { type Role, ROLES } from './roles.ts';

const COLUMNS: readonly Column<MemberView>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <NameText name={name} /> },
  { id: 'email', header: 'Email', wideOnly: true, cell: ({ email }) => email },
  { id: 'role', header: 'Role', cell: ({ role }) => ROLES.find(({ value }) => value === role)?.label },
  {
    id: 'since',
    header: 'Since',
    align: 'right',
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
];

type Open = { readonly kind: 'invite' } | { readonly kind: 'role' | 'remove'; readonly member: MemberView };

export function MembersPage() {
  const { team_id, user } = useSignIn();
  const mayChange = useMay()('teams:write');
  const search = useListSearch();
  const [open, setOpen] = useState<Open | null>(null);
  const queryClient = useQueryClient();
  const toast = useToast();
  const close = (): void => setOpen(null);
  const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['members'] });
  return (
    <>
      <ListPage
        title="Members"
        label="Members"
        noun={['member', 'members']}
        actions={
          mayChange && (
            <Button
              kind="primary"
              icon={<UserPlus size={14} aria-hidden />}
              onClick={() => setOpen({ kind: 'invite' })}
            >
              Invite member
            </Button>
          )
        }
        search={search}
        query={useQuery(membersQuery(team_id, search.page))}
        columns={[...COLUMNS, actionsColumn(user.id, mayChange, setOpen)]}
        rowKey={({ user_id }) => user_id}
        empty={<EmptyState title="No members in this team" />}
      />
      <OpenInvitations teamId={team_id} mayWithdraw={mayChange} />
      {open?.kind === 'invite' && <InviteDialog teamId={team_id} onClose={close} />}
      {open?.kind === 'role' && (
        <RoleDialog
          member={open.member}
          onClose={close}
          onSubmit={async (role) => {
            await answer(
              changeMember({ path: { id: team_id, user_id: open.member.user_id }, body: { role } }),
            );
            toast('Role changed');
            await readAgain();
          }}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          open
          onClose={close}
          title={open.member.user_id === user.id ? 'Leave the team?' : `Remove ${open.member.name}?`}
          description={`The keys of ${open.member.email} in this team are deleted at once. This cannot be taken back.`}
          action={open.member.user_id === user.id ? 'Leave team' : 'Remove member'}
          onConfirm={async () => {
            await answer(removeMember({ path: { id: team_id, user_id: open.member.user_id } }));
            toast('Member removed');
            await readAgain();
          }}
        />
      )}
    </>
  );
}

interface RoleDialogProps {
  readonly member: MemberView;
  readonly onClose: () => void;
  readonly onSubmit: (role: Role) => Promise<void>;
}

function RoleDialog({ member, onClose, onSubmit }: RoleDialogProps) {
  const [role, setRole] = useState<Role>(member.role);
  const submission = useSubmit('role');
  const submit = async (): Promise<void> => {
    if (await submission.send(() => onSubmit(role))) onClose();
  };
  return (
    <FormDialog
      onClose={onClose}
      title={`Change the role of ${member.name}`}
      description="It counts for the keys of that person, too, within a second."
      action="Save role"
      submission={submission}
      onSubmit={() => void submit()}
    >
      <RoleField value={role} onChange={setRole} fault={submission.faultOf('role')} />
    </FormDialog>
  );
}

/** Only users with the permission can change others; every member can leave. */
function actionsColumn(ownId: string, mayChange: boolean, onOpen: (open: Open) => void): Column<MemberView> {
  return {
    id: 'actions',
    header: 'Actions',
    hideHeader: true,
    align: 'right',
    cell: (member) =>
      (mayChange || member.user_id === ownId) && (
        <Menu
          align="end"
          trigger={
            <IconButton label={`Actions for ${member.name}`} icon={<Ellipsis size={16} aria-hidden />} />
          }
        >
          {mayChange && (
            <>
              <MenuItem onSelect={() => onOpen({ kind: 'role', member })}>Change role</MenuItem>
              <MenuSeparator />
            </>
          )}
          <MenuItem danger onSelect={() => onOpen({ kind: 'remove', member })}>
            {member.user_id === ownId ? 'Leave team' : 'Remove'}
          </MenuItem>
        </Menu>
      ),
  };
}
