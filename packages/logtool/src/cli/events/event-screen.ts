import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import type { FactsFrame } from '../../happenings/read-facts.ts';
import type { CliContext } from '../context.ts';
import { withMessage } from '../messages/errors.ts';
import { noticeText } from '../messages/notice-text.ts';
import { errorText } from '../output/error-text.ts';
import { PrintedFacts } from '../output/facts/printed-facts.ts';
import type { EventsPlan } from '../plan/events/events-plan.ts';
import { EventTable } from './event-table.ts';

/** A workload without pods still has a past: quota and admission reject pods before they exist. */
const WITHOUT_PODS = ['no-pods', 'filter-leaves-none'];

/** Prints facts, and the reasons why some could not be read. */
export class EventScreen {
  readonly #context: CliContext;
  readonly #plan: EventsPlan;
  readonly #table: EventTable;
  /** Failures that do not matter if there are facts. */
  readonly #empty: CodedError[] = [];
  readonly #printed = new PrintedFacts();
  #hasFacts = false;
  hasFailed = false;

  constructor(context: CliContext, plan: EventsPlan) {
    this.#context = context;
    this.#plan = plan;
    this.#table = new EventTable(plan.output, context.stdout.isTTY);
  }

  async take(frame: FactsFrame): Promise<void> {
    const { stdout, stderr } = this.#context;
    switch (frame.type) {
      case 'facts': {
        const shown = frame.facts.filter(
          (fact) => this.#plan.severities.includes(fact.severity) && this.#printed.add(fact),
        );
        this.#hasFacts ||= frame.facts.length > 0;
        if (shown.length > 0) await stdout.write(this.#table.rows(shown));
        return;
      }
      case 'notice':
        return stderr.write(`${sanitizeText(noticeText(frame))}\n`);
      case 'failed':
        if (WITHOUT_PODS.includes(frame.error.code)) return void this.#empty.push(frame.error);
        return this.#fail(frame.error);
      case 'read':
        return;
      default:
        frame satisfies never;
    }
  }

  async finish(): Promise<void> {
    if (!this.#hasFacts) for (const error of this.#empty) await this.#fail(error);
    if (this.#table.isEmpty && !this.hasFailed && this.#context.stderr.isTTY)
      await this.#context.stderr.write('no events: the cluster keeps most for an hour only\n');
  }

  async #fail(error: CodedError): Promise<void> {
    this.hasFailed = true;
    await this.#context.stderr.write(errorText(await withMessage(error)));
  }
}
