import type { LinkProps } from '@tanstack/react-router';
import { type Scope, useMay } from '../api/index.ts';

interface Destination {
  readonly label: string;
  readonly to: NonNullable<LinkProps['to']>;
  /** Keyboard shortcut that opens the page. */
  readonly keys?: string;
  /** The entry is hidden from users without this scope. */
  readonly needs?: Scope;
}

interface Section {
  readonly title: string | null;
  readonly destinations: readonly Destination[];
}

const SECTIONS: readonly Section[] = [
  {
    title: null,
    destinations: [
      { label: 'Overview', to: '/', keys: 'g o' },
      { label: 'Workflows', to: '/workflows', keys: 'g w' },
      { label: 'Executions', to: '/executions', keys: 'g e' },
      { label: 'Sessions', to: '/sessions', keys: 'g s' },
      { label: 'Schedules', to: '/schedules', keys: 'g d', needs: 'schedules:read' },
      { label: 'Hooks', to: '/hooks', keys: 'g h', needs: 'hooks:read' },
      { label: 'Events', to: '/events' },
      { label: 'Node types', to: '/node-types' },
    ],
  },
  {
    title: 'Settings',
    destinations: [
      { label: 'API Keys', to: '/settings/api-keys', keys: 'g k' },
      { label: 'Members', to: '/settings/members' },
      { label: 'Teams', to: '/settings/teams' },
      { label: 'Projects', to: '/settings/projects' },
      { label: 'Rate limits', to: '/settings/rate-limits' },
      { label: 'Webhooks', to: '/settings/webhooks' },
      { label: 'Secrets', to: '/settings/secrets', needs: 'secrets:read' },
      { label: 'Audit log', to: '/settings/audit-log', needs: 'audit:read' },
      { label: 'Operations', to: '/settings/operations', needs: 'audit:read' },
      { label: 'About', to: '/settings/about' },
    ],
  },
];

/** The entries of the side bar and the command palette. */
export function useSections(): readonly Section[] {
  const may = useMay();
  return SECTIONS.map(({ title, destinations }) => ({
    title,
    destinations: destinations.filter(({ needs }) => needs === undefined || may(needs)),
  }));
}
