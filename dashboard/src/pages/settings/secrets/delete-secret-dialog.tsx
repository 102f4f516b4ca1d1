import { Link } from '@tanstack/react-router';
import { answer, deleteSecret, type SecretView } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-secrets.ts';
import { Button, Dialog, ErrorNote, shortId, useSubmit } from '../../../ui/index.ts';
import { type SecretUser, usersOf } from './secret-users.ts';

interface DeleteSecretDialogProps {
  readonly secret: SecretView;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Dialog that deletes a secret. A secret that is in use needs a second confirmation. */
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
      title={users === null ? texts.deleteQuestion(name) : texts.isInUse(name)}
      description={users === null ? texts.deleteHint : texts.inUseHint}
      actions={
        <>
          <Button onClick={onClose}>{texts.dismiss}</Button>
          {/* Each confirmation has its own button element, so that pressing Enter twice does not delete a secret that
              is in use. */}
          {users === null ? (
            <Button key="delete" kind="danger" busy={busy} onClick={() => remove(false)}>
              {texts.deleteSecret}
            </Button>
          ) : (
            <Button key="force" kind="danger" busy={busy} onClick={() => remove(true)}>
              {texts.deleteAnyway}
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
  workflow: { word: texts.workflow, to: '/workflows/$id' },
  hook: { word: texts.hook, to: '/hooks/$id' },
  webhook: { word: texts.webhook, to: '/settings/webhooks/$id' },
} as const;

function Users({ users }: { readonly users: readonly SecretUser[] }) {
  return (
    <div role="alert">
      <ul aria-label={texts.usedBy} className="flex flex-col gap-1.5">
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
