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
import { texts } from '../../../texts/en/settings-members.ts';
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
  { id: 'name', header: texts.name, cell: ({ name }) => <NameText name={name} /> },
  { id: 'email', header: texts.email, wideOnly: true, cell: ({ email }) => email },
  { id: 'role', header: texts.role, cell: ({ role }) => ROLES.find(({ value }) => value === role)?.label },
  {
    id: 'since',
    header: texts.joined,
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
  const query = useQuery(membersQuery(team_id, search.page));
  const [open, setOpen] = useState<Open | null>(null);
  const queryClient = useQueryClient();
  const toast = useToast();
  const close = (): void => setOpen(null);
  const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['members'] });
  return (
    <>
      <ListPage
        title={texts.members}
        label={texts.members}
        noun={texts.memberNoun}
        actions={
          mayChange && (
            <Button
              kind="primary"
              icon={<UserPlus size={14} aria-hidden />}
              onClick={() => setOpen({ kind: 'invite' })}
            >
              {texts.inviteMember}
            </Button>
          )
        }
        docs="teams"
        search={search}
        query={query}
        columns={[...COLUMNS, actionsColumn(user.id, mayChange, setOpen)]}
        rowKey={({ user_id }) => user_id}
        empty={<EmptyState title={texts.noMembersInThisTeam} />}
      />
      {!query.isPending && <OpenInvitations teamId={team_id} mayWithdraw={mayChange} />}
      {open?.kind === 'invite' && <InviteDialog teamId={team_id} onClose={close} />}
      {open?.kind === 'role' && (
        <RoleDialog
          member={open.member}
          onClose={close}
          onSubmit={async (role) => {
            await answer(
              changeMember({ path: { id: team_id, user_id: open.member.user_id }, body: { role } }),
            );
            toast(texts.roleChanged);
            await readAgain();
          }}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          open
          onClose={close}
          title={
            open.member.user_id === user.id ? texts.leaveQuestion : texts.removeQuestion(open.member.name)
          }
          description={texts.removeHint(open.member.email)}
          action={open.member.user_id === user.id ? texts.leaveTeam : texts.removeMember}
          onConfirm={async () => {
            await answer(removeMember({ path: { id: team_id, user_id: open.member.user_id } }));
            toast(texts.memberRemoved);
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
      title={texts.changeRoleOf(member.name)}
      description={texts.roleHint}
      action={texts.saveRole}
      submission={submission}
      onSubmit={() => void submit()}
    >
      <RoleField value={role} onChange={setRole} fault={submission.faultOf('role')} />
    </FormDialog>
  );
}

/**
 * Column with the actions on a member of the team. Every member can leave, but changes of other members need a
 * permission.
 */
function actionsColumn(ownId: string, mayChange: boolean, onOpen: (open: Open) => void): Column<MemberView> {
  return {
    id: 'actions',
    header: texts.actions,
    hideHeader: true,
    align: 'right',
    cell: (member) =>
      (mayChange || member.user_id === ownId) && (
        <Menu
          align="end"
          trigger={
            <IconButton label={texts.actionsFor(member.name)} icon={<Ellipsis size={16} aria-hidden />} />
          }
        >
          {mayChange && (
            <>
              <MenuItem onSelect={() => onOpen({ kind: 'role', member })}>{texts.changeRole}</MenuItem>
              <MenuSeparator />
            </>
          )}
          <MenuItem danger onSelect={() => onOpen({ kind: 'remove', member })}>
            {member.user_id === ownId ? texts.leaveTeam : texts.remove}
          </MenuItem>
        </Menu>
      ),
  };
}
