import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  answer,
  changeHook,
  deleteHook,
  hookQuery,
  type HookView,
  type HookWithUrlView,
  type Tagged,
  taggedAnswer,
} from '../../api/index.ts';
import { texts } from '../../texts/en/hooks.ts';
import { Button, ConfirmDialog, messageOf, useSubmit, useToast } from '../../ui/index.ts';
import { HookDialog } from './hook-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';
import { UrlReveal } from './url-reveal.tsx';

type Open =
  | { readonly kind: 'test' | 'edit' | 'rotate' | 'delete' }
  | { readonly kind: 'reveal'; readonly hook: HookWithUrlView; readonly note: string };

interface HookActionsProps {
  readonly hook: HookView;
  readonly etag: string;
}

export function HookActions({ hook, etag }: HookActionsProps) {
  const [open, setOpen] = useState<Open>();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const submission = useSubmit();
  const path = { id: hook.id };
  const close = (): void => setOpen(undefined);
  const refresh = (): void => void queryClient.invalidateQueries({ queryKey: ['hooks'] });
  /** Shows the hook of a response immediately, so that the next change sends the new ETag. */
  const show = ({ data, etag: newTag }: Tagged<HookView>): void => {
    queryClient.setQueryData(hookQuery(hook.id).queryKey, { hook: data, etag: newTag });
  };
  const setStatus = (status: HookView['status'], done: string): void => {
    void submission
      .send(async () => {
        show(await taggedAnswer(changeHook({ path, body: { status }, headers: { 'If-Match': etag } })));
        toast(done);
      })
      .then(refresh);
  };
  return (
    <>
      {submission.note !== null && (
        <span role="alert" className="text-small text-failed">
          {messageOf(submission.note)}
        </span>
      )}
      <Button needsService onClick={() => setOpen({ kind: 'test' })}>
        {texts.sendTestMenu}
      </Button>
      {hook.status === 'active' ? (
        <Button needsService busy={submission.busy} onClick={() => setStatus('paused', texts.hookPaused)}>
          {texts.pause}
        </Button>
      ) : (
        <Button
          needsService
          kind="primary"
          busy={submission.busy}
          onClick={() => setStatus('active', texts.hookResumed)}
        >
          {texts.resume}
        </Button>
      )}
      <Button needsService onClick={() => setOpen({ kind: 'rotate' })}>
        {texts.rotateUrl}
      </Button>
      <Button needsService onClick={() => setOpen({ kind: 'edit' })}>
        {texts.edit}
      </Button>
      <Button needsService kind="danger" onClick={() => setOpen({ kind: 'delete' })}>
        {texts.delete}
      </Button>
      {open?.kind === 'test' && <TestDialog hook={hook} onClose={close} onDone={refresh} />}
      {open?.kind === 'edit' && (
        <HookDialog
          changed={{ hook, etag }}
          onClose={close}
          onDone={(saved) => {
            close();
            show(saved);
            toast(texts.hookSaved);
            refresh();
          }}
        />
      )}
      {open?.kind === 'rotate' && (
        <RotateDialog
          hook={hook}
          onClose={close}
          onDone={(rotated, note) => {
            setOpen({ kind: 'reveal', hook: rotated, note });
            refresh();
          }}
        />
      )}
      {open?.kind === 'reveal' && <UrlReveal hook={open.hook} note={open.note} onClose={close} />}
      <ConfirmDialog
        open={open?.kind === 'delete'}
        onClose={close}
        title={texts.deleteQuestion(hook.name)}
        description={texts.deleteHint}
        action={texts.deleteHook}
        onConfirm={async () => {
          await answer(deleteHook({ path, headers: { 'If-Match': etag } }));
          await navigate({ to: '/hooks' });
          queryClient.removeQueries({ queryKey: hookQuery(hook.id).queryKey });
          void queryClient.invalidateQueries({ queryKey: ['hooks', 'list'] });
          toast(texts.hookDeleted);
        }}
      />
    </>
  );
}
