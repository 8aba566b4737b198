import { splitLines } from '@logtool/kube/src/rest/lines.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { AgentAddress, Agents } from '../fan-out/agents.ts';
import { type ApiCredentials, askAgent } from '../fan-out/ask-agent.ts';
import { keepTrying } from '../keep-trying.ts';
import { RUNS_PATH, type RunsLine } from './run-facts.ts';
import type { RunList } from './run-list.ts';

export interface GatherOptions {
  readonly agents: Pick<Agents, 'all' | 'onChange' | 'known'>;
  /** Called for each connection. */
  readonly credentials: () => ApiCredentials;
  readonly clock: Clock;
  readonly list: RunList;
  /** Called when an agent cannot be asked, or stops to answer; it is tried again. */
  readonly onLost: (node: string, error: unknown) => void;
}

/** The API itself asks, for all of its callers; agents take only its certificate. */
const OWN_NAME = { user: 'logtool-api', uid: '', groups: [], extra: {} };
/** A list waits this long for agents that have not answered yet. */
const FIRST_MS = 3000;
/** All runs of a node are one line: some hundred bytes each. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const LIST = { verb: 'list', resource: 'containerlogs' };

interface Feed {
  readonly address: AgentAddress;
  readonly over: AbortController;
  isLive: boolean;
  /** Whether it has answered, or failed to, for the first time. */
  isSettled: boolean;
}

/** Keeps the list up to date with what the agents of all nodes say. */
export class GatherRuns {
  readonly #options: GatherOptions;
  readonly #feeds = new Map<string, Feed>();
  readonly #running = new Set<Promise<void>>();
  readonly #waiting = new Set<() => void>();
  #isKnown = false;

  constructor(options: GatherOptions) {
    this.#options = options;
  }

  /** Gathers until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { agents } = this.#options;
    const stop = agents.onChange(() => this.#update(signal));
    void agents.known.then(() => {
      this.#isKnown = true;
      this.#update(signal);
    });
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    stop();
    for (const { over } of this.#feeds.values()) over.abort();
    await Promise.all(this.#running);
  }

  /** Nodes whose agents do not answer at present: what the list has of them may be old, or missing. */
  missingNodes(): readonly string[] {
    return [...this.#feeds].filter(([, { isLive }]) => !isLive).map(([node]) => node);
  }

  /** Resolves when each agent has answered once, or failed to, or after 3 s. Rejects with the signal's reason. */
  async settled(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#isSettled()) return;
    await new Promise<void>((resolve, reject) => {
      const done = () => {
        cancel();
        this.#waiting.delete(check);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const check = () => {
        if (this.#isSettled()) done();
      };
      const leave = () => {
        done();
        reject(signal.reason);
      };
      const cancel = this.#options.clock.after(FIRST_MS, done);
      this.#waiting.add(check);
      signal.addEventListener('abort', leave, { once: true });
    });
    signal.throwIfAborted();
  }

  #isSettled(): boolean {
    return this.#isKnown && [...this.#feeds.values()].every(({ isSettled }) => isSettled);
  }

  #update(signal: AbortSignal): void {
    if (signal.aborted) return;
    const wanted = new Map(this.#options.agents.all().map((agent) => [agent.node, agent]));
    for (const [node, feed] of this.#feeds) {
      const agent = wanted.get(node);
      if (agent !== undefined && isSame(agent, feed.address)) continue;
      feed.over.abort();
      this.#feeds.delete(node);
      if (agent === undefined) this.#options.list.removeNode(node);
    }
    for (const [node, agent] of wanted) if (!this.#feeds.has(node)) this.#start(agent);
    this.#check();
  }

  #start(address: AgentAddress): void {
    const { clock, onLost } = this.#options;
    const feed: Feed = { address, over: new AbortController(), isLive: false, isSettled: false };
    const { signal } = feed.over;
    const onFailure = (error: unknown) => {
      feed.isLive = false;
      this.#settle(feed);
      onLost(address.node, error);
    };
    this.#feeds.set(address.node, feed);
    const running = keepTrying(() => this.#follow(feed), { clock, signal, onFailure });
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  /** Reads the list of one agent as long as it goes on; its end is a failure, because it has none. */
  async #follow(feed: Feed): Promise<void> {
    const { credentials, clock } = this.#options;
    const { signal } = feed.over;
    const question = { path: RUNS_PATH, identity: OWN_NAME, signal };
    const { code, body } = await askAgent(feed.address, question, credentials(), clock);
    if (code !== 200) {
      body.resume();
      throw new AgentRefused(code);
    }
    for await (const line of splitLines(body, MAX_LINE_BYTES, LIST)) {
      this.#apply(feed, JSON.parse(line.toString()));
    }
    throw new AgentRefused(code);
  }

  #apply(feed: Feed, line: RunsLine): void {
    const { list } = this.#options;
    const { node } = feed.address;
    feed.over.signal.throwIfAborted();
    if ('runs' in line) list.replaceNode(node, line.runs);
    else list.changeNode(node, line.changed, line.gone);
    feed.isLive = true;
    this.#settle(feed);
  }

  #settle(feed: Feed): void {
    feed.isSettled = true;
    this.#check();
  }

  #check(): void {
    for (const check of [...this.#waiting]) check();
  }
}

/** An agent that answers, but with no list; or with one that ends. */
export class AgentRefused extends Error {
  readonly code: number;

  constructor(code: number) {
    super(String(code));
    this.name = 'AgentRefused';
    this.code = code;
  }
}

function isSame(a: AgentAddress, b: AgentAddress): boolean {
  return a.host === b.host && a.port === b.port;
}
