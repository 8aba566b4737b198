import type { HelmFailures } from '@logtool/helm/src/failures.ts';
import type { ComposedMessages } from '../message.ts';

type Codes = Pick<
  HelmFailures,
  'chart-limit' | 'template-failed' | 'invalid-value-flag' | 'values-do-not-fit'
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
          what: `the chart needs too much memory: logtool stopped ${data.step}`,
          why: `it took more than ${data.limitMiB} MiB, far more than any ordinary chart needs`,
          next: UNTRUSTED,
        }
      : {
          what: `the chart takes too long: logtool stopped ${data.step}`,
          why: `it took more than ${Math.floor(data.limitMs / 1000)} s, far more than any ordinary chart needs`,
          next: UNTRUSTED,
        },
  'template-failed': ({ isAsked, why }) => ({
    what: isAsked ? 'the chart refuses these values' : 'a template of the chart failed',
    why,
    next: isAsked
      ? 'set what the message asks for with --set or -f'
      : 'check the values that the template uses, or report it to the author of the chart',
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
};
