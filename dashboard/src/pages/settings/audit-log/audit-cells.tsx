import {
  Bot,
  Box,
  CircleHelp,
  CirclePlay,
  KeyRound,
  type LucideIcon,
  Server,
  User,
  Users,
  Workflow,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { AuditEntryView } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-audit-log.ts';
import { Id } from '../../../ui/index.ts';
import { refusalText } from './refusals.ts';

const TARGET_ICONS: Readonly<Record<string, LucideIcon>> = {
  execution: CirclePlay,
  key: KeyRound,
  team: Users,
  user: User,
  workflow: Workflow,
};

export function TargetCell({ target: { type, id, name } }: Pick<AuditEntryView, 'target'>) {
  return (
    <Named icon={TARGET_ICONS[type] ?? Box} name={name} id={id}>
      {name === null ? (
        <KindAndId kind={texts.kind(type)} id={id} of={texts.theTarget(type)} />
      ) : (
        <>
          {name} <span className="text-text-3">{texts.kind(type)}</span>
        </>
      )}
    </Named>
  );
}

export function ActorCell({ entry }: { readonly entry: AuditEntryView }) {
  const { key_id, user_id, name } = entry.actor;
  const id = key_id ?? user_id;
  if (id === null) {
    const isUnknown = refusalText(entry) !== undefined;
    return (
      <Named icon={isUnknown ? CircleHelp : Server} name={null} id={undefined}>
        {isUnknown ? texts.unknown : texts.theService}
      </Named>
    );
  }
  const kind = key_id === null ? texts.person : texts.apiKey;
  return (
    <Named icon={key_id === null ? User : Bot} name={name} id={id}>
      {name ?? <KindAndId kind={kind} id={id} of={key_id === null ? texts.theUser : texts.theKey} />}
      <span className="sr-only">, {kind}</span>
    </Named>
  );
}

interface NamedProps {
  readonly icon: LucideIcon;
  readonly name: string | null;
  readonly id: string | undefined;
  readonly children: ReactNode;
}

function Named({ icon: Icon, name, id, children }: NamedProps) {
  return (
    <span className="flex items-center gap-1.5" title={name === null ? undefined : id}>
      <Icon size={14} aria-hidden className="shrink-0 text-text-3" />
      <span className="max-w-64 truncate">{children}</span>
    </span>
  );
}

interface KindAndIdProps {
  readonly kind: string;
  readonly id: string;
  readonly of: string;
}

function KindAndId({ kind, id, of }: KindAndIdProps) {
  return (
    <span className="flex items-center gap-1.5">
      {texts.kindAlone(kind)} <Id value={id} of={of} />
    </span>
  );
}
