import type { ChartProblem, ChartStep, HelmFailures, TemplateLimit } from '@logtool/helm/src/failures.ts';
import type { ComposedMessages, Message } from '../message.ts';

type Codes = Pick<
  HelmFailures,
  | 'chart-limit'
  | 'chart-not-installable'
  | 'invalid-chart'
  | 'invalid-value-flag'
  | 'template-failed'
  | 'template-limit'
  | 'values-do-not-fit'
  | 'values-file-invalid'
  | 'values-file-unreadable'
>;

const UNTRUSTED =
  'check where the chart comes from; if you trust it, try other values, or report this to its author';

const FLAGS = {
  json: '--set-json',
  typed: '--set',
  string: '--set-string',
} as const;

export const CHART_MESSAGES: ComposedMessages<Codes> = {
  'chart-limit': (data) =>
    data.limit === 'memory'
      ? {
          what: `the chart needs too much memory: logtool stopped ${STEPS[data.step]}`,
          why: `it took more than ${data.limitMiB} MiB, far more than any ordinary chart needs`,
          next: UNTRUSTED,
        }
      : {
          what: `the chart takes too long: logtool stopped ${STEPS[data.step]}`,
          why: `it took more than ${Math.floor(data.limitMs / 1000)} s, far more than any ordinary chart needs`,
          next: UNTRUSTED,
        },
  'chart-not-installable': (data) => ({ what: 'the chart cannot be installed', ...installAdvice(data) }),
  'invalid-chart': (data) => ({
    what: 'the chart cannot be read',
    why: [...data.where, problemText(data)].join(': '),
    next: 'check the chart, or ask its author for a valid one',
  }),
  'template-failed': ({ isAsked, why }) => ({
    what: isAsked ? 'the chart refuses these values' : 'a template of the chart failed',
    why,
    next: isAsked
      ? 'set what the message asks for with --set or -f'
      : 'check the values that the template uses, or report it to the author of the chart',
  }),
  'template-limit': (data) => ({
    what: limitText(data),
    why:
      data.of === 'lookups'
        ? 'every one is a request to the cluster'
        : 'a template of the chart loops, or makes a text that grows and grows',
    next: 'render the chart with other values, or ask its author',
  }),
  'invalid-value-flag': ({ given, text, why }) => ({
    what: `${FLAGS[given]} ${text} cannot be read`,
    why,
    next: 'write key=value, with a backslash before a comma or dot that belongs to the name or value',
  }),
  'values-do-not-fit': (data) =>
    data.of === 'schema'
      ? {
          what: "the values don't meet the specifications of the schema(s) in the following chart(s)",
          why: data.issues.join('\n'),
          next: 'change these values with --set or a file of values: values.schema.json of the chart says what it takes',
        }
      : {
          what: `the values of sub-chart ${data.name} are no table`,
          why: data.why,
          next: `give a table under ${data.name}, or nothing`,
        },
  'values-file-invalid': ({ path, why }) => ({
    what: `${path} is not a values file`,
    why,
    next: 'check its indentation, and that a table is at its top level',
  }),
  'values-file-unreadable': ({ path, why }) => ({
    what: `${path} cannot be read`,
    why,
    next: 'check the path and its permissions',
  }),
};

const STEPS: Readonly<Record<ChartStep, string>> = {
  'load-chart': 'reading it',
  'read-crds': 'reading its crds',
  'render-chart': 'rendering it',
  'check-values': 'checking the values',
  'render-templates': 'rendering the templates',
  'read-manifest': 'reading the manifest',
  work: 'working on it',
};

function problemText(problem: ChartProblem): string {
  switch (problem.problem) {
    case 'refused':
      return problem.why;
    case 'files':
    case 'values':
      return `chart has more than ${problem.max} ${problem.problem}`;
    case 'depth':
      return `charts are nested more than ${problem.max} deep`;
    case 'archive-size':
      return `chart archive is larger than the maximum size ${problem.maxBytes}`;
    case 'archive-cut':
      return 'unexpected EOF: the archive is cut off';
    case 'sparse-file':
      return 'chart illegally contains a sparse file';
    case 'link':
      return `chart illegally contains a link: ${JSON.stringify(problem.path)}`;
    case 'no-file':
      return `chart illegally contains no regular file: ${JSON.stringify(problem.path)}`;
    case 'link-loop':
      return `links lead from ${problem.path} back to where they are`;
  }
}

/** In the words of Helm. */
function installAdvice(data: HelmFailures['chart-not-installable']): Pick<Message, 'why' | 'next'> {
  switch (data.problem) {
    case 'api-version':
      return {
        why: `unsupported chart version: its apiVersion is ${JSON.stringify(data.apiVersion)}`,
        next: `choose a chart whose apiVersion is ${data.known.join(' or ')}`,
      };
    case 'type':
      return {
        why: `${data.type} charts are not installable`,
        next: `install a chart that uses ${data.name}`,
      };
    case 'dependencies':
      return {
        why: `found in Chart.yaml, but missing in charts/ directory: ${data.missing.join(', ')}`,
        next: 'put these charts into charts/, or package the chart together with them',
      };
    case 'kube-version':
      return {
        why: `chart requires kubeVersion: ${data.wanted} which is incompatible with Kubernetes ${data.kubeVersion}`,
        next: 'choose a version of the chart that is made for this cluster',
      };
  }
}

function limitText(limit: TemplateLimit): string {
  switch (limit.of) {
    case 'time':
      return 'rendering the chart takes too long';
    case 'output':
      return `the templates made more than ${limit.max} characters of text`;
    case 'depth':
      return `more than ${limit.max} templates wait for each other`;
    case 'parts':
      return `a template handles a value of more than ${limit.max} parts`;
    case 'tpl-depth':
      return `more than ${limit.max} tpl are inside of each other`;
    case 'tpl-text':
      return `the templates give tpl more than ${limit.max} characters at a time`;
    case 'lookups':
      return `the templates look up more than ${limit.max} things in the cluster`;
    case 'manifest-values':
      return `the manifest has more than ${limit.max} values`;
    case 'hook-values':
      return `the hooks have more than ${limit.max} values`;
    case 'hook-text':
      return `the hooks have more than ${limit.maxMiB} MiB of text`;
  }
}
