import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  answer,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  type Tagged,
  taggedAnswer,
  testWebhook,
  webhookQuery,
  type WebhookView,
} from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-webhooks.ts';
import { Button, ConfirmDialog, messageOf, useSubmit, useToast } from '../../../ui/index.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { SecretReveal } from './secret-reveal.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

const OVERLAP_SECONDS = 86_400;

type Opened = 'edit' | 'replay' | 'rotate' | 'delete' | null;

interface WebhookActionsProps {
  readonly webhook: WebhookView;
  readonly etag: string;
  /**
   * @param events number of events to send
   */
  readonly onReplay: (events: number) => void;
}

export function WebhookActions({ webhook, etag, onReplay }: WebhookActionsProps) {
  const [opened, setOpened] = useState<Opened>(null);
  const [secret, setSecret] = useState<string>();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const submission = useSubmit();
  const path = { id: webhook.id };
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['webhooks'] });
  /** Shows the webhook of a response immediately, so that the next change sends the new ETag. */
  const show = ({ data, etag: newTag }: Tagged<WebhookView>): void => {
    queryClient.setQueryData(webhookQuery(webhook.id).queryKey, { webhook: data, etag: newTag });
  };
  const act = (send: () => Promise<string>): void => {
    void submission
      .send(async () => {
        toast(await send());
      })
      .then(refresh);
  };
  const sendTest = async (): Promise<string> => {
    const { status, attempts } = await answer(testWebhook({ path }));
    return status === 'delivered' ? texts.testEventDelivered : (attempts[0]?.error ?? texts.testEventFailed);
  };
  return (
    <>
      {submission.note !== null && (
        <span role="alert" className="text-small text-failed">
          {messageOf(submission.note)}
        </span>
      )}
      <Button needsService busy={submission.busy} onClick={() => act(sendTest)}>
        {texts.sendTestEvent}
      </Button>
      {webhook.status === 'active' ? (
        <Button
          needsService
          onClick={() =>
            act(async () => {
              show(await taggedAnswer(pauseWebhook({ path })));
              return texts.webhookPaused;
            })
          }
        >
          {texts.pause}
        </Button>
      ) : (
        <Button
          needsService
          kind="primary"
          onClick={() =>
            act(async () => {
              show(await taggedAnswer(resumeWebhook({ path, body: {} })));
              return texts.webhookResumed;
            })
          }
        >
          {texts.resume}
        </Button>
      )}
      {webhook.status !== 'disabled' && (
        <Button needsService onClick={() => setOpened('replay')}>
          {texts.replay}
        </Button>
      )}
      <Button needsService onClick={() => setOpened('rotate')}>
        {texts.rotateSecret}
      </Button>
      <Button needsService onClick={() => setOpened('edit')}>
        {texts.edit}
      </Button>
      <Button needsService kind="danger" onClick={() => setOpened('delete')}>
        {texts.delete}
      </Button>
      {opened === 'edit' && (
        <WebhookDialog
          changed={{ webhook, etag }}
          onClose={() => setOpened(null)}
          onDone={(saved) => {
            setOpened(null);
            show(saved);
            toast(texts.webhookSaved);
            void refresh();
          }}
        />
      )}
      {opened === 'replay' && (
        <ReplayDialog
          webhook={webhook}
          onClose={() => setOpened(null)}
          onDone={(replayed) => {
            setOpened(null);
            show(replayed);
            onReplay(replayed.data.lag_events);
            void refresh();
          }}
        />
      )}
      {secret !== undefined && <SecretReveal secret={secret} onClose={() => setSecret(undefined)} />}
      <ConfirmDialog
        open={opened === 'rotate'}
        onClose={() => setOpened(null)}
        title={texts.rotateQuestion}
        description={texts.rotateHint}
        action={texts.rotateSecret}
        onConfirm={async () => {
          const body = { overlap_seconds: OVERLAP_SECONDS };
          const { data, etag: newTag } = await taggedAnswer(rotateWebhookSecret({ path, body }));
          const { secret: newSecret, ...rotated } = data;
          show({ data: rotated, etag: newTag });
          setSecret(newSecret);
          setOpened(null);
          void refresh();
        }}
      />
      <ConfirmDialog
        open={opened === 'delete'}
        onClose={() => setOpened(null)}
        title={texts.deleteQuestion}
        description={texts.deleteHint}
        action={texts.deleteWebhook}
        onConfirm={async () => {
          await answer(deleteWebhook({ path, headers: { 'If-Match': etag } }));
          await navigate({ to: '/settings/webhooks' });
          queryClient.removeQueries({ queryKey: webhookQuery(webhook.id).queryKey });
          void queryClient.invalidateQueries({ queryKey: ['webhooks', 'list'] });
          toast(texts.webhookDeleted);
        }}
      />
    </>
  );
}
