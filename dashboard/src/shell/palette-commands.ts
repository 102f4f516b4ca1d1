import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import {
  executionQuery,
  type ExecutionView,
  runActions,
  searchQuery,
  type SearchResultView,
  switchTeam,
  useMay,
  useSignIn,
} from '../api/index.ts';
import { texts } from '../texts/en/shell.ts';
import { messageOf, shortId, useShortcuts, useToast } from '../ui/index.ts';
import { useSections } from './navigation.ts';
import { useProject } from './project.ts';

/** A dialog that opens after the user has chosen a command and the palette has closed. */
export type PaletteDialog =
  | { readonly kind: 'create-workflow' }
  | { readonly kind: 'create-key' }
  | { readonly kind: 'run'; readonly workflowId: string }
  | { readonly kind: 'cancel'; readonly executionId: string; readonly name: string };

export interface Command {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

const MIN_SEARCH = 2;
const MOST_RESULTS = 5;

/** Matches a verb and a search text, such as `retry orders`. */
const VERB = /^(run|retry|cancel|pause|resume)\s+(.*)$/i;

type Verb = 'retry' | 'cancel' | 'pause' | 'resume';

const POSSIBLE: Readonly<Record<Verb, ReadonlySet<string>>> = {
  retry: new Set(['completed', 'failed', 'cancelled', 'timed_out']),
  cancel: new Set(['queued', 'running', 'waiting', 'paused']),
  pause: new Set(['queued', 'running', 'waiting']),
  resume: new Set(['paused']),
};

const VERBS: readonly Verb[] = ['retry', 'cancel', 'pause', 'resume'];

interface Run {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/**
 * Returns the commands for the text typed in the command palette: pages, actions, and resources that the search finds.
 * @param settled `text` after a pause in typing; only this text is sent to the service
 */
export function usePaletteCommands(
  text: string,
  settled: string,
  onDialog: (dialog: PaletteDialog) => void,
): { readonly commands: readonly Command[]; readonly isSearching: boolean } {
  const may = useMay();
  const { projectId } = useProject();
  const [, verb, rest] = VERB.exec(text.trim()) ?? [];
  const wanted = (rest ?? text).trim();
  const [, , settledRest] = VERB.exec(settled.trim()) ?? [];
  const asked = (settledRest ?? settled).trim();
  const { data, isFetching } = useQuery({
    ...searchQuery({ q: asked, limit: MOST_RESULTS, project_id: projectId }),
    enabled: asked.length >= MIN_SEARCH,
  });
  const found = wanted.length >= MIN_SEARCH && asked.length >= MIN_SEARCH ? (data?.data ?? []) : [];
  const open = useOpen();
  const act = useRunActions(onDialog);
  const current = useCurrentRun();
  const fixed = [...useActions(onDialog), ...usePages(), ...useTeams()];
  const has = ({ label }: Command): boolean => label.toLowerCase().includes(text.trim().toLowerCase());
  const runs = found.flatMap((result) => (result.kind === 'execution' ? [runOf(result)] : []));
  const workflows = found.filter(({ kind, status }) => kind === 'workflow' && status === 'active');
  const starts = may('executions:write')
    ? workflows.map(({ id, title }): Command => ({
        id: `run ${id}`,
        group: texts.actions,
        label: texts.runWorkflow(title),
        hint: texts.action,
        run: () => onDialog({ kind: 'run', workflowId: id }),
      }))
    : [];
  const verbs = VERBS.filter((each) => each === verb?.toLowerCase());
  const onRuns = may('executions:write')
    ? [
        ...(current === null ? [] : VERBS.flatMap((each) => act(each, current)).filter(has)),
        ...verbs.flatMap((each) => runs.flatMap((run) => act(each, run))),
      ]
    : [];
  const results = found.map((result): Command => ({
    id: `${result.kind} ${result.id}`,
    group: GROUPS[result.kind],
    label: result.kind === 'execution' ? `${result.title} · ${shortId(result.id)}` : result.title,
    hint: hintOf(result),
    run: () => open(result),
  }));
  const commands =
    verb === undefined
      ? [...fixed.filter(has), ...onRuns, ...results, ...starts]
      : [...onRuns, ...(verb.toLowerCase() === 'run' ? starts : []), ...fixed.filter(has), ...results];
  return {
    commands: distinct(commands),
    isSearching: wanted.length >= MIN_SEARCH && (wanted !== asked || isFetching),
  };
}

function distinct(commands: readonly Command[]): readonly Command[] {
  const byId = new Map(commands.map((command) => [command.id, command]));
  return [...byId.values()];
}

const GROUPS: Readonly<Record<SearchResultView['kind'], string>> = {
  workflow: texts.workflows,
  execution: texts.executions,
  session: texts.sessions,
  schedule: texts.schedules,
  hook: texts.hooks,
  webhook: texts.webhooks,
  secret: texts.secrets,
  key: texts.apiKeys,
};

/**
 * Returns the hint of a search result. The hint contains the text that matches, unless the title already shows that
 * text.
 */
function hintOf({ kind, match, title, status }: SearchResultView): string {
  if (kind === 'workflow') return texts.workflow;
  const where = match.field === 'id' || match.text === title ? '' : match.text;
  return [status ?? '', where].filter((part) => part !== '').join(' · ');
}

function runOf({ id, title, status }: SearchResultView): Run {
  return { id, name: title, status: status ?? '' };
}

function useOpen(): (result: SearchResultView) => void {
  const navigate = useNavigate();
  return ({ kind, id, title }) => {
    const params = { id };
    if (kind === 'workflow') void navigate({ to: '/workflows/$id', params });
    else if (kind === 'execution') void navigate({ to: '/executions/$id', params });
    else if (kind === 'session') void navigate({ to: '/sessions/$id', params });
    else if (kind === 'schedule') void navigate({ to: '/schedules/$id', params });
    else if (kind === 'hook') void navigate({ to: '/hooks/$id', params });
    else if (kind === 'webhook') void navigate({ to: '/settings/webhooks/$id', params });
    else if (kind === 'secret') void navigate({ to: '/settings/secrets', search: { q: title } });
    else void navigate({ to: '/settings/api-keys', search: { q: title } });
  };
}

function useCurrentRun(): Run | null {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [, id = ''] = /^\/executions\/([^/]+)$/.exec(path) ?? [];
  const { data } = useQuery({ ...executionQuery(id), enabled: id !== '' });
  return data === undefined || id === '' ? null : currentRunOf(data);
}

function currentRunOf({ id, status }: ExecutionView): Run {
  return { id, name: texts.thisExecution, status };
}

/**
 * @returns the command of an action, if the status of the execution allows it
 */
function useRunActions(
  onDialog: (dialog: PaletteDialog) => void,
): (verb: Verb, run: Run) => readonly Command[] {
  const navigate = useNavigate();
  const toast = useToast();
  const queryClient = useQueryClient();
  const perform = async (action: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await action();
      await queryClient.invalidateQueries({ queryKey: ['executions'] });
      toast(done);
    } catch (error) {
      toast(messageOf(error));
    }
  };
  const effects: Readonly<Record<Verb, (run: Run) => void>> = {
    retry: ({ id, status }) =>
      void perform(async () => {
        const again = await runActions.retry(id, status === 'completed' ? 'start' : 'failed');
        await navigate({ to: '/executions/$id', params: { id: again.id } });
      }, texts.retryDone),
    cancel: ({ id, name }) => onDialog({ kind: 'cancel', executionId: id, name: `${name} · ${shortId(id)}` }),
    pause: ({ id }) => void perform(() => runActions.pause(id), texts.pauseDone),
    resume: ({ id }) => void perform(() => runActions.resume(id), texts.resumeDone),
  };
  return (verb, run) =>
    POSSIBLE[verb].has(run.status)
      ? [
          {
            id: `${verb} ${run.id}`,
            group: texts.actions,
            label: texts.actOn(texts.verbs[verb], `${run.name} · ${shortId(run.id)}`),
            hint: run.status,
            run: () => effects[verb](run),
          },
        ]
      : [];
}

function useActions(onDialog: (dialog: PaletteDialog) => void): readonly Command[] {
  const may = useMay();
  const shortcuts = useShortcuts()
    // The palette omits shortcuts for lists, and shortcuts that duplicate another command of the palette.
    .filter(({ group, keys }) => group !== 'Lists' && !keys.startsWith('g ') && keys !== 'n')
    .map(({ keys, label, run }): Command => ({
      id: `key ${keys} ${label}`,
      group: texts.actions,
      label,
      hint: keys,
      run,
    }));
  const create = (kind: 'create-workflow' | 'create-key', label: string): Command => ({
    id: kind,
    group: texts.actions,
    label,
    hint: texts.action,
    run: () => onDialog({ kind }),
  });
  return [
    ...(may('workflows:write') ? [create('create-workflow', texts.createWorkflow)] : []),
    ...(may('keys:write') ? [create('create-key', texts.createKey)] : []),
    ...shortcuts,
  ];
}

function usePages(): readonly Command[] {
  const navigate = useNavigate();
  return useSections().flatMap(({ title, destinations }) =>
    destinations.map(({ label, to, keys }): Command => ({
      id: to,
      group: texts.pages,
      label,
      hint: keys ?? title ?? '',
      run: () => void navigate({ to }),
    })),
  );
}

function useTeams(): readonly Command[] {
  const router = useRouter();
  const toast = useToast();
  const { teams, team_id } = useSignIn();
  const change = async (id: string): Promise<void> => {
    try {
      await switchTeam(id);
      await router.navigate({ to: '/' });
    } catch (error) {
      toast(messageOf(error));
    }
  };
  return teams
    .filter(({ id }) => id !== team_id)
    .map(({ id, name }): Command => ({
      id: `team ${id}`,
      group: texts.teams,
      label: texts.goToTeam(name),
      hint: texts.team,
      run: () => void change(id),
    }));
}
