import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import type {
  Anchor,
  FromWorker,
  JumpTarget,
  Row,
  ToWorker,
  ViewPlan,
} from '@logtool/logtool/src/ui/worker/protocol/protocol.ts';
import { LogSession } from '@logtool/logtool/src/ui/worker/session/log-session.ts';
import { FakeServer } from './fake-server.ts';

export const PLAN: ViewPlan = { context: 'test', sources: ['web'], follow: true };

/** A session with a fake server and clock, and the messages it sent. */
export class SessionDriver {
  readonly server: FakeServer;
  readonly clock = new FakeClock();
  readonly sent: FromWorker[] = [];
  readonly session: LogSession;
  #requests = 0;

  constructor(limits = { lines: 1_000_000, bytes: 2 ** 29 }, server = new FakeServer()) {
    this.server = server;
    this.session = new LogSession({
      api: server.api,
      clock: this.clock,
      limits,
      send: (message) => this.sent.push(message),
    });
  }

  /** Waits until all running work is done. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 6; turn++) {
      await setImmediate();
      await this.clock.advance(20);
    }
  }

  async send(message: Parameters<LogSession['take']>[0]): Promise<void> {
    this.session.take(message);
    await this.settle();
  }

  async open(plan: Partial<ViewPlan> = {}): Promise<void> {
    await this.send({ type: 'view', plan: { ...PLAN, ...plan } });
  }

  ask<T extends FromWorker['type']>(
    message: Record<string, unknown> & { readonly type: ToWorker['type'] },
    type: T,
  ): Extract<FromWorker, { readonly type: T }> | undefined {
    const request = ++this.#requests;
    this.session.take({ ...message, request } as never);
    return this.#answer(request, type);
  }

  async jump(to: JumpTarget): Promise<Extract<FromWorker, { readonly type: 'jumped' }>> {
    const request = ++this.#requests;
    this.session.take({ type: 'jump', request, to });
    return this.#wait(request, 'jumped');
  }

  async find(
    question: Omit<Extract<ToWorker, { type: 'find' }>, 'type' | 'request'>,
  ): Promise<Extract<FromWorker, { readonly type: 'found' }>> {
    const request = ++this.#requests;
    this.session.take({ type: 'find', request, ...question });
    return this.#wait(request, 'found');
  }

  async showMatch(goOn?: boolean): Promise<Extract<FromWorker, { readonly type: 'found' }>> {
    const request = ++this.#requests;
    this.session.take({ type: 'show-match', request, ...(goOn === undefined ? {} : { goOn }) });
    const answer = await this.#wait(request, 'found');
    await this.settle();
    return answer;
  }

  rows(anchor: Anchor = { at: 'start' }, below = 1_000_000): readonly Row[] {
    const answer = this.ask(
      { type: 'rows', anchor, above: anchor.at === 'end' ? 1_000_000 : 0, below },
      'rows',
    );
    if (answer === undefined) throw new Error('rows were not answered');
    return answer.rows;
  }

  /** Texts of the lines that the view shows; a missing range as `(n)`. */
  texts(): string[] {
    return this.rows().flatMap((row) =>
      row.kind === 'line' ? [row.text] : row.kind === 'missing' ? [`(${row.lines ?? '?'})`] : [],
    );
  }

  last<T extends FromWorker['type']>(type: T): Extract<FromWorker, { readonly type: T }> {
    const found = this.sent.findLast((message) => message.type === type);
    if (found === undefined) throw new Error(`no ${type} was sent`);
    return found as Extract<FromWorker, { readonly type: T }>;
  }

  async #wait<T extends FromWorker['type']>(
    request: number,
    type: T,
  ): Promise<Extract<FromWorker, { type: T }>> {
    for (;;) {
      const answer = this.#answer(request, type);
      if (answer !== undefined) return answer;
      await this.settle();
    }
  }

  #answer<T extends FromWorker['type']>(
    request: number,
    type: T,
  ): Extract<FromWorker, { type: T }> | undefined {
    return this.sent.find(
      (message) => message.type === type && 'request' in message && message.request === request,
    ) as Extract<FromWorker, { type: T }> | undefined;
  }
}
