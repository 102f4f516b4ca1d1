import { Link } from '@tanstack/react-router';
import { answer, deleteSecret, type SecretView } from '../../../api/index.ts';
import { Button, Dialog, ErrorNote, shortId, useSubmit } from '../../../ui/index.ts';
import { type SecretUser, usersOf } from './secret-users.ts';

interface DeleteSecretDialogProps {
  readonly secret: SecretView;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Deletes a secret. If active resources use it, lists them and offers to delete it anyway. */
export function DeleteSecretDialog({ secret: { id, name }, onClose, onDone }: DeleteSecretDialogProps) {
  const { busy, error, send } = useSubmit();
  const users = usersOf(error);
  const remove = (force: boolean): void =>
    void send(async () => {
      await answer(deleteSecret({ path: { id }, query: { force: force ? 'true' : 'false' } }));
      onDone();
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={users === null ? `Delete ${name}?` : `${name} is in use`}
      description={
        users === null
          ? 'Its value is deleted and cannot be restored.'
          : 'Remove it from these first. If you delete it now, nodes that use it fail with secret_not_found, and hooks and webhooks that use it stop working.'
      }
      actions={
        <>
          <Button onClick={onClose}>Keep</Button>
          {/* Two buttons, so that pressing Enter twice does not delete a secret that is in use. */}
          {users === null ? (
            <Button key="delete" kind="danger" busy={busy} onClick={() => remove(false)}>
              Delete secret
            </Button>
          ) : (
            <Button key="force" kind="danger" busy={busy} onClick={() => remove(true)}>
              Delete anyway
            </Button>
          )}
        </>
      }
    >
      {users === null ? error !== null && <ErrorNote error={error} /> : <Users users={users} />}
    </Dialog>
  );
}

const KINDS = {
  workflow: { word: 'Workflow', to: '/workflows/$id' },
  hook: { word: 'Hook', to: '/hooks/$id' },
  webhook: { word: 'Webhook', to: '/settings/webhooks/$id' },
} as const;

function Users({ users }: { readonly users: readonly SecretUser[] }) {
  return (
    <div role="alert">
      <ul aria-label="Used by" className="flex flex-col gap-1.5">
        {users.map(({ type, id, name }) => (
          <li key={id} className="flex gap-2">
            <span className="w-18 shrink-0 text-text-3">{KINDS[type].word}</span>
            <Link
              to={KINDS[type].to}
              params={{ id }}
              className="min-w-0 text-accent wrap-anywhere hover:underline"
            >
              {name === '' ? shortId(id) : name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
