import type { LinkProps } from '@tanstack/react-router';
import {
  Activity,
  CalendarClock,
  CirclePlay,
  Layers,
  LayoutDashboard,
  type LucideIcon,
  Shapes,
  TriangleAlert,
  Webhook,
  Workflow,
} from 'lucide-react';
import { type Scope, useMay } from '../api/index.ts';
import { texts } from '../texts/en/shell.ts';

interface Destination {
  readonly label: string;
  readonly to: NonNullable<LinkProps['to']>;
  /** Icon of the menu entry. Entries of settings pages have no icon. */
  readonly icon?: LucideIcon;
  readonly keys?: string;
  /** Scope that a user needs to see the menu entry. */
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
      { label: texts.overview, to: '/', icon: LayoutDashboard, keys: 'g o' },
      { label: texts.workflows, to: '/workflows', icon: Workflow, keys: 'g w' },
      { label: texts.executions, to: '/executions', icon: CirclePlay, keys: 'g e' },
      { label: texts.failures, to: '/failures', icon: TriangleAlert, keys: 'g f' },
      { label: texts.sessions, to: '/sessions', icon: Layers, keys: 'g s' },
      { label: texts.schedules, to: '/schedules', icon: CalendarClock, keys: 'g d', needs: 'schedules:read' },
      { label: texts.hooks, to: '/hooks', icon: Webhook, keys: 'g h', needs: 'hooks:read' },
      { label: texts.events, to: '/events', icon: Activity },
      { label: texts.nodeTypes, to: '/node-types', icon: Shapes },
    ],
  },
  {
    title: texts.settings,
    destinations: [
      { label: texts.apiKeys, to: '/settings/api-keys', keys: 'g k' },
      { label: texts.members, to: '/settings/members' },
      { label: texts.teams, to: '/settings/teams' },
      { label: texts.projects, to: '/settings/projects' },
      { label: texts.rateLimits, to: '/settings/rate-limits' },
      { label: texts.webhooks, to: '/settings/webhooks' },
      { label: texts.secrets, to: '/settings/secrets', needs: 'secrets:read' },
      { label: texts.auditLog, to: '/settings/audit-log', needs: 'audit:read' },
      { label: texts.operations, to: '/settings/operations', needs: 'audit:read' },
      { label: texts.about, to: '/settings/about' },
    ],
  },
];

export function useSections(): readonly Section[] {
  const may = useMay();
  return SECTIONS.map(({ title, destinations }) => ({
    title,
    destinations: destinations.filter(({ needs }) => needs === undefined || may(needs)),
  }));
}
