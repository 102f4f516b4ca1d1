import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';

/** The fields of a service in compose.yaml that this test reads. */
interface ComposeService {
  readonly image: string;
  readonly build?: { readonly args: Readonly<Record<string, string>> };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly pids_limit: number;
  readonly mem_limit: string;
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

interface Values {
  readonly image: Readonly<Record<string, string>>;
  readonly networkPolicy: { readonly enabled: boolean; readonly from: readonly object[] };
}

const CHART = 'deploy/helm/workflow-service';
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const text = (path: string): string => readFileSync(path, 'utf8');
const compose = parse(text('compose.yaml'), { merge: true }) as Compose;
const values = parse(text(`${CHART}/values.yaml`)) as Values;
const helpers = text(`${CHART}/templates/_helpers.tpl`);

describe('compose.yaml', () => {
  it('compose.yaml limits the number of processes and the memory of every container', () => {
    expect(Object.keys(compose.services)).toHaveLength(6);
    for (const [name, { pids_limit, mem_limit }] of Object.entries(compose.services)) {
      expect(pids_limit, name).toBeGreaterThan(0);
      expect(mem_limit, name).toMatch(/^\d+[mg]$/);
    }
  });

  it('compose.yaml takes the Redis password from the environment and passes it to every process of the service', () => {
    const { command, environment } = compose.services['redis'] ?? {};
    const password = command?.[command.indexOf('--requirepass') + 1];
    expect(command).toContain('--requirepass');
    expect(password).toMatch(/^\$\{REDIS_PASSWORD:\?[^}]+\}$/);
    expect(environment?.['REDISCLI_AUTH']).toMatch(/^\$\{REDIS_PASSWORD:\?/);
    for (const name of ['migrate', 'api', 'worker'])
      expect(compose.services[name]?.environment?.['REDIS_URL'], name).toMatch(
        /^redis:\/\/:\$\{REDIS_PASSWORD:\?[^}]+\}@redis:6379$/,
      );
  });

  it.each(['redis', 'postgres'])(
    'compose.yaml lets only the processes of the service connect to the container %s',
    (store) => {
      expect(compose.services[store]?.networks).toEqual([store]);
      expect(compose.services[store]?.ports).toBeUndefined();
      expect(compose.networks[store]).toEqual({ internal: true });
      const members = Object.entries(compose.services).filter(([, { networks }]) => networks.includes(store));
      expect(new Set(members.map(([name]) => name))).toEqual(new Set([store, 'migrate', 'api', 'worker']));
    },
  );

  it('compose.yaml takes every image from an environment variable, so that users can pin the image by digest', () => {
    const { build, image } = compose.services['api'] ?? {};
    const variables = [
      build?.args['NODE_IMAGE'],
      ...Object.values(compose.services).map((one) => one.image),
    ].map((one) => /^\$\{(\w+_IMAGE):-[\w-]+:[\w.-]+\}$/.exec(one ?? '')?.[1]);
    expect(image).toMatch(/^\$\{SERVICE_IMAGE:-/);
    expect(new Set(variables)).toEqual(
      new Set(['NODE_IMAGE', 'SERVICE_IMAGE', 'POSTGRES_IMAGE', 'REDIS_IMAGE', 'PROXY_IMAGE']),
    );
    const documented = text('docs/deployment.md');
    for (const variable of variables) expect(documented).toContain(`\`${variable}\``);
  });
});

describe('the NetworkPolicy of the chart', () => {
  const selector = { 'app.kubernetes.io/name': 'workflow-service', 'app.kubernetes.io/instance': 'flows' };
  const rendered = (networkPolicy: Values['networkPolicy']): unknown =>
    parse(render(text(`${CHART}/templates/network-policy.yaml`), networkPolicy, selector));

  it('the default NetworkPolicy allows connections to the pods only at the port of the service', () => {
    expect(rendered(values.networkPolicy)).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'flows', labels: selector },
      spec: {
        podSelector: { matchLabels: selector },
        policyTypes: ['Ingress'],
        ingress: [{ ports: [{ port: 'http', protocol: 'TCP' }] }],
      },
    });
    expect(text(`${CHART}/templates/deployments.yaml`)).toContain('{ name: http, containerPort: 3000 }');
  });

  it('if `networkPolicy.from` contains peers, the NetworkPolicy allows connections only from these peers', () => {
    const from = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }];
    expect(rendered({ enabled: true, from })).toMatchObject({
      spec: { policyTypes: ['Ingress'], ingress: [{ ports: [{ port: 'http', protocol: 'TCP' }], from }] },
    });
  });

  it('the Helm chart creates no NetworkPolicy if `networkPolicy.enabled` is false', () => {
    expect(rendered({ enabled: false, from: [] })).toBeNull();
  });

  it('the NetworkPolicy selects pods by the labels that the Deployments and the Job set', () => {
    const [, defined = ''] = /define "workflow-service.selector" -\}\}\n([^]*?)\{\{- end/.exec(helpers) ?? [];
    expect(defined.match(/^[\w./-]+(?=:)/gm)).toEqual(Object.keys(selector));
    for (const file of ['deployments.yaml', 'migrations.yaml'])
      expect(text(`${CHART}/templates/${file}`)).toContain('include "workflow-service.labels"');
    expect(helpers).toMatch(
      /define "workflow-service.labels" -\}\}\n\{\{ include "workflow-service.selector" \. \}\}/,
    );
  });
});

describe('the image of the chart', () => {
  const schema = JSON.parse(text(`${CHART}/values.schema.json`)) as object;
  const isValid = (digest: string): boolean =>
    new Ajv({ strict: false }).validate(schema, { ...values, image: { ...values.image, digest } });

  it('the Helm chart accepts a sha256 digest or an empty text as `image.digest`, and refuses other values', () => {
    expect([DIGEST, '', 'latest', 'sha256:abc', `@${DIGEST}`].map(isValid)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('the Helm chart pins the image of every container to `image.digest` if that value is set', () => {
    expect(helpers).toContain(
      'image: {{ if .Values.image.digest }}{{ printf "%s@%s" .Values.image.repository .Values.image.digest | quote }}{{ else }}',
    );
    for (const file of readdirSync(`${CHART}/templates`).filter((name) => name.endsWith('.yaml')))
      expect(text(`${CHART}/templates/${file}`), file).not.toMatch(/^\s*image:/m);
  });
});

/** Renders a Helm template without Helm. Supports only `if`, `with`, `end`, two includes and `toYaml`. */
function render(
  template: string,
  networkPolicy: Values['networkPolicy'],
  selector: Readonly<Record<string, string>>,
): string {
  const { enabled, from } = networkPolicy;
  const shown: boolean[] = [];
  return template
    .split('\n')
    .flatMap((line) => {
      const [, action] = /^\s*\{\{- (.+?) \}\}$/.exec(line) ?? [];
      if (action === 'if .Values.networkPolicy.enabled') shown.push(enabled);
      else if (action === 'with .Values.networkPolicy.from') shown.push(from.length > 0);
      else if (action === 'end') shown.pop();
      else if (shown.every(Boolean)) {
        const value = /^include "workflow-service\.(?:labels|selector)" /.test(action ?? '')
          ? selector
          : from;
        const [, columns] = /\| nindent (\d+)$/.exec(action ?? '') ?? [];
        if (action === undefined) return [line.replace('{{ include "workflow-service.name" . }}', 'flows')];
        return [stringify(value).replace(/^(?=.)/gm, ' '.repeat(Number(columns)))];
      }
      return [];
    })
    .join('\n');
}
