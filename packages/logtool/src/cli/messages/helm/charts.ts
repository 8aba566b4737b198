import type {
  ChartProblem,
  ChartStep,
  HelmFailures,
  SchemaIssue,
  SchemaProblem,
  TemplateLimit,
} from '@logtool/helm/src/failures.ts';
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
  'chart-not-installable': (data) => ({ what: 'logtool cannot install the chart', ...installAdvice(data) }),
  'invalid-chart': (data) => ({
    what: 'logtool cannot read the chart',
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
        ? 'each lookup is a request to the cluster'
        : 'a template of the chart loops, or its output keeps growing',
    next: 'render the chart with other values, or ask its author',
  }),
  'invalid-value-flag': ({ given, text, why }) => ({
    what: `cannot read ${FLAGS[given]} ${text}`,
    why: typeof why === 'string' ? why : `one key has more than ${why.max} indexes in a row`,
    next: 'write key=value, with a backslash before a comma or dot that belongs to the name or value',
  }),
  'values-do-not-fit': (data) =>
    data.of === 'schema'
      ? {
          what: "the values don't meet the specifications of the schema(s) in the following chart(s)",
          why: data.issues.map(schemaText).join('\n'),
          next: 'change these values with --set or a values file; values.schema.json in the chart says what it accepts',
        }
      : {
          what: `the values of sub-chart ${data.name} must be a mapping`,
          why: data.why,
          next: `set a mapping under ${data.name}, or nothing`,
        },
  'values-file-invalid': ({ path, why }) => ({
    what: `${path} is not a values file`,
    why,
    next: 'check its indentation, and that its top level is a mapping',
  }),
  'values-file-unreadable': ({ path, why }) => ({
    what: `cannot read ${path}`,
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
      return 'the archive ends too early';
    case 'sparse-file':
      return 'chart contains a sparse file, which logtool does not read';
    case 'link':
      return `chart contains a link, which Helm does not allow: ${JSON.stringify(problem.path)}`;
    case 'no-file':
      return `chart contains something other than a regular file: ${JSON.stringify(problem.path)}`;
    case 'link-loop':
      return `the link ${problem.path} leads back to a folder that contains it`;
  }
}

/** Uses Helm's wording. */
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

/** Describes what is wrong with a chart's values or schema, after the chart's name. */
function schemaText({ chart, problem }: SchemaIssue): string {
  if (problem.of !== 'values') return `${chart}:\n${schemaProblemText(problem)}`;
  const more = problem.more === 0 ? [] : [`- and ${problem.more} more`];
  return [`${chart}:`, ...problem.lines, ...more].join('\n');
}

function schemaProblemText(problem: Exclude<SchemaProblem, { readonly of: 'values' }>): string {
  switch (problem.of) {
    case 'schema-type':
      return 'values.schema.json is neither an object nor a boolean';
    case 'draft':
      return `values.schema.json: logtool does not know its $schema ${problem.draft}`;
    case 'reference':
      return `values.schema.json refers to ${problem.reference}, which it does not contain; logtool never fetches a schema`;
    case 'endless':
      return 'values.schema.json is nested too deeply, or refers to itself';
    case 'invalid':
      return `values.schema.json: ${problem.why}`;
  }
}

function limitText(limit: TemplateLimit): string {
  switch (limit.of) {
    case 'time':
      return 'rendering the chart takes too long';
    case 'nested-value':
      return 'the templates handle a value that is nested too deeply';
    case 'nested-template':
      return 'a template is nested too deeply';
    case 'output':
      return `the templates produce more than ${limit.max} characters`;
    case 'depth':
      return `templates call each other more than ${limit.max} levels deep`;
    case 'nodes':
      return `a template handles a value of more than ${limit.max} parts`;
    case 'tpl-depth':
      return `templates nest more than ${limit.max} calls of tpl`;
    case 'tpl-text':
      return `the templates pass more than ${limit.max} characters to tpl at once`;
    case 'lookups':
      return `the templates make more than ${limit.max} lookups in the cluster`;
    case 'manifest-values':
      return `the manifest has more than ${limit.max} values`;
    case 'hook-values':
      return `the hooks have more than ${limit.max} values`;
    case 'hook-text':
      return `the hooks have more than ${limit.maxMiB} MiB of text`;
  }
}
