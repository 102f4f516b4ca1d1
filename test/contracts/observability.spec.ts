import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ExecutionCalls } from '../support/execution-views.js';
import { promtool } from '../support/promtool.js';
import { TestService } from '../support/service.js';

const DIRECTORY = 'deploy/observability';
const TOKEN = 'a-token-of-the-scraper';
/** Metrics in alert expressions that Prometheus itself creates. */
const OF_PROMETHEUS = new Set(['up']);
/** Suffixes that Prometheus adds to the name of a histogram. */
const OF_HISTOGRAMS = /_(?:bucket|sum|count)$/;

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: Readonly<Record<string, string>>;
    }[];
  }[];
}

interface Board {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const text = (file: string): string => readFileSync(`${DIRECTORY}/${file}`, 'utf8');
const alerts = (parse(text('alerts.yml')) as Rules).groups.flatMap(({ rules }) => rules);
const board = JSON.parse(text('grafana/dashboards/workflow-service.json')) as Board;

/** Returns the names of the service metrics that a Prometheus expression reads. */
function metricsOf(expression: string): readonly string[] {
  const names = expression.match(/\b(?:workflow_service|nodejs|process)_\w+|\bup\b/g) ?? [];
  return names.filter((name) => !OF_PROMETHEUS.has(name));
}

let service: TestService;
let scraped: string;
let known: ReadonlySet<string>;

beforeAll(async () => {
  service = await TestService.start({ environment: { METRICS_TOKEN: TOKEN } });
  await new ExecutionCalls(service).run([{ id: 'a', type: 'set', with: { value: 1 } }]);
  const answer = await fetch(`${service.baseUrl}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  scraped = await answer.text();
  known = new Set([...scraped.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name ?? ''));
});

afterAll(() => service.stop());

it('the exported metrics of the service pass `promtool check metrics`', () => {
  // The test checks only metrics of the service, because the library prom-client chooses the names of all other
  // metrics.
  const ours = scraped
    .split('\n')
    .filter((line) => /^(?:# (?:HELP|TYPE) )?workflow_service_/.test(line))
    .join('\n');
  expect(ours).not.toBe('');
  promtool(['check', 'metrics'], `${ours}\n`);
});

describe('the configuration of Prometheus', () => {
  it('the Prometheus configuration is valid, including its alert rules', () => {
    promtool(['check', 'config', `${DIRECTORY}/prometheus.yml`]);
  });

  it('the alert rules pass `promtool check rules`', () => {
    expect(promtool(['check', 'rules', `${DIRECTORY}/alerts.yml`])).toContain(`${alerts.length} rules found`);
  });

  it('each alert fires under its condition, and no alert fires for a healthy service', () => {
    promtool(['test', 'rules', `${DIRECTORY}/alerts.test.yml`]);
    for (const { alert } of alerts) expect(text('alerts.test.yml')).toContain(`alertname="${alert}"`);
  });

  it.each(alerts)('the alert $alert reads only metrics that the service exports', ({ expr }) => {
    const missing = metricsOf(expr).filter(
      (name) => !known.has(name) && !known.has(name.replace(OF_HISTOGRAMS, '')),
    );
    expect(missing).toEqual([]);
  });

  it.each(alerts)('the alert $alert has a section in docs/operations.md', ({ alert, annotations }) => {
    expect(annotations['runbook']).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(readFileSync('docs/operations.md', 'utf8')).toMatch(new RegExp(`^### ${alert}$`, 'm'));
  });
});

it.each(board.panels)(
  'the Grafana panel “$title” reads only metrics that the service exports',
  ({ targets }) => {
    for (const { expr } of targets) {
      const names = metricsOf(expr);
      expect(names).not.toEqual([]);
      expect(names.filter((name) => !known.has(name) && !known.has(name.replace(OF_HISTOGRAMS, '')))).toEqual(
        [],
      );
    }
  },
);
