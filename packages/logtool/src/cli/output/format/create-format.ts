import { decodeUtf8, sanitizeLine } from '@logtool/kube/src/values/sanitize.ts';
import type { CliContext } from '../../context.ts';
import type { OutputPlan } from '../../plan/logs/logs-plan.ts';
import { DotColors, dotPalette, wantsColor } from './colors.ts';
import type { Highlight } from './highlight.ts';
import { createRawFormat, type RecordFormat } from './record-format.ts';
import { createTimeFormat } from './time-format.ts';

/** Creates the format of records for a plan and a standard output. Loads each format's code on first use. */
export async function createFormat(
  plan: OutputPlan,
  context: Pick<CliContext, 'env' | 'stdout'>,
  time = createTimeFormat(plan.timezone),
): Promise<RecordFormat> {
  const terminal = context.stdout.isTTY;
  const color = wantsColor(plan.color, context.env, context.stdout);
  if (plan.format === 'raw')
    return createRawFormat(terminal ? (message) => sanitizeLine(decodeUtf8(message), color) : undefined);
  if (plan.format === 'json') return (await import('./json-format.ts')).createJsonFormat({ time, terminal });
  if (plan.format === 'csv' || plan.format === 'tsv') {
    const { createSeparatedFormat } = await import('./separated-format.ts');
    const { format: kind, columns, header } = plan;
    return createSeparatedFormat({ kind, columns, header, time, terminal });
  }
  plan.format satisfies 'pretty' | 'template' | 'text';
  const marks = terminal && color && plan.highlight !== undefined;
  const marking: Marking = marks ? await marksOf(plan) : {};
  const { highlight, ...rest } = marking;
  if (plan.format === 'template') {
    const { createTemplateFormat } = await import('./template-format.ts');
    const options = { tokens: plan.template, time, terminal, color, highlight };
    return { ...createTemplateFormat(options), ...rest };
  }
  const dots = color ? new DotColors(dotPalette(context.env)) : undefined;
  if (plan.format === 'pretty') {
    const { createPrettyFormat } = await import('./pretty-format.ts');
    return { ...createPrettyFormat({ time, fields: plan.fields, color, dots, highlight }), ...rest };
  }
  const { createTableFormat } = await import('./table-format.ts');
  const format = createTableFormat({
    columns: plan.columns,
    header: plan.header,
    time,
    terminal,
    color,
    dots,
    highlight,
  });
  return { ...format, ...rest };
}

/** What highlighting adds to a format. */
interface Marking extends Pick<RecordFormat, 'rest' | 'notice'> {
  readonly highlight?: Highlight | undefined;
}

async function marksOf({ highlight: pattern = '', ignoreCase }: OutputPlan): Promise<Marking> {
  const { createHighlight, UNMARKED } = await import('./highlight.ts');
  const highlight = await createHighlight(pattern, ignoreCase);
  return highlight === undefined ? { notice: UNMARKED } : { highlight, rest: createRest() };
}

/** After highlighting for this long, signals and everything else get a turn. */
const TURN_MS = 10;

function createRest(): () => Promise<void> | undefined {
  let startMs = performance.now();
  return () => {
    if (performance.now() - startMs < TURN_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        startMs = performance.now();
        resolve();
      });
    });
  };
}
