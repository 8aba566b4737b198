import { KubeError } from '../errors.ts';
import type { KubeProblem } from '../values/problems.ts';
import type { WireRequest } from './wire.ts';

/** One timer at a time; setting a new one replaces it. Uses real time, as sockets do. */
export class Deadline {
  readonly #expire: (error: KubeError) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(expire: (error: KubeError) => void) {
    this.#expire = expire;
  }

  /** Limits the time to connect to the host. */
  connecting(limitMs: number, host: string, request: WireRequest): void {
    this.#set(limitMs, { code: 'no-connection-to', data: { host, limitMs } }, 'ETIMEDOUT', request);
  }

  /** Limits the time until the host's response headers arrive. */
  answering(limitMs: number, host: string, request: WireRequest): void {
    this.#set(limitMs, { code: 'no-answer-from', data: { host, limitMs } }, 'ERR_NO_ANSWER', request);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #set(limitMs: number, problem: KubeProblem, code: string, request: WireRequest): void {
    this.clear();
    this.#timer = setTimeout(() => {
      this.#expire(new KubeError({ kind: 'connection', problem, code, request: request.subject }));
    }, limitMs);
  }
}
