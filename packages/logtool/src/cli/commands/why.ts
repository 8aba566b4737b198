import type { KubeClient } from '@logtool/kube/src/client.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { Explanation } from '../../domain/verdicts/explanation.ts';
import { type Explained, explainSource, leavesNoPods } from '../../happenings/why/explain-source.ts';
import type { ReadLog } from '../../happenings/why/read-lines.ts';
import { readSources } from '../../resolve/sources/read-sources.ts';
import { oneContainer } from '../../stream/plan/one-container.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import type { LogsServices } from '../logs/logs-services.ts';
import { withMessage } from '../messages/errors.ts';
import { noticeText } from '../messages/notice-text.ts';
import { errorText } from '../output/error-text.ts';
import { createTimeFormat, wholeSeconds } from '../output/format/time-format.ts';
import { planProgram } from '../plan/plan-program.ts';
import { planWhy } from '../plan/why/plan-why.ts';
import type { WhyPlan } from '../plan/why/why-plan.ts';
import { explanationJson } from '../why/explanation-json.ts';
import { explanationText } from '../why/explanation-text.ts';
import { nextCommand } from '../why/next-command.ts';

type WhyServices = Pick<LogsServices, 'connect' | 'resolve' | 'read'>;

/** `logtool why SOURCE`: prints the cause first, then the proof. */
export async function why(
  context: CliContext,
  raw: RawArguments,
  services: WhyServices = LAZY_SERVICES,
): Promise<ExitCode> {
  const plan = await planWhy(context, raw);
  // A wrong source fails before logtool connects.
  readSources(plan.source);
  const client = await services.connect(context, plan.connection, planProgram(context, raw));
  try {
    const { signal, clock } = context;
    const readLog = logReader(context, client, services);
    const query = { since: plan.query.from, now: timestampFromMs(clock.now()) };
    const explained = await explainSource(
      { client, signal, clock, resolve: services.resolve, readLog },
      plan.source,
      query,
    );
    signal.throwIfAborted();
    return await print(context, plan, explained);
  } finally {
    client.close();
  }
}

async function print(
  context: CliContext,
  plan: WhyPlan,
  { explanation, notices, failures }: Explained,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  for (const notice of notices) await stderr.write(`${sanitizeText(noticeText(notice))}\n`);
  const isRead = explanation.outcome !== 'unread';
  const reported = isRead ? failures.filter((error) => !leavesNoPods(error)) : failures;
  for (const error of reported) await stderr.write(errorText(await withMessage(error)));
  if (isRead) await stdout.write(textOf(context, plan, explanation));
  if (!isRead || reported.length > 0) return EXIT.failure;
  return explanation.outcome === 'unexplained' ? EXIT.unexplained : EXIT.done;
}

function textOf({ program }: CliContext, plan: WhyPlan, explanation: Explanation): string {
  const next = nextCommand(program, explanation, plan);
  const time = createTimeFormat(plan.output.timezone);
  if (plan.output.format === 'json') return explanationJson(explanation, { next, time });
  const source = plan.source.sources.join(' ');
  return explanationText(explanation, {
    source,
    next,
    time: wholeSeconds(time).format,
    lineTime: time.format,
  });
}

/** Reads the log of one container with the engine. */
function logReader({ clock }: CliContext, client: KubeClient, { read }: WhyServices): ReadLog {
  return async function* (target, window, signal, previousMs) {
    const { sources, plan } = oneContainer(target, window, previousMs);
    yield* await read({ client, clock, signal }, sources, plan);
  };
}

const LAZY_SERVICES: WhyServices = {
  connect: async (...given) => (await import('../connection/connect.ts')).connect(...given),
  async *resolve(...given) {
    const { resolveSources } = await import('../../resolve/resolve-sources.ts');
    yield* resolveSources(...given);
  },
  read: async (...given) => (await import('../../stream/view/read-logs.ts')).readLogs(...given),
};
