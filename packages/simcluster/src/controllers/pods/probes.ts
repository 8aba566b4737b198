import type { ContainerBehavior } from '../../scenario/container-schema.ts';
import { durationMs } from '../../scenario/duration.ts';
import type { HistoryClock } from '../history-clock.ts';
import type { ContainerSpec } from '../objects.ts';

export type ProbeKind = 'startup' | 'readiness' | 'liveness';
type ProbeFailure = NonNullable<ContainerBehavior['probes']>[number];

/** A probe in a container's spec; times in seconds. */
interface ProbeSpec {
  readonly httpGet?: { readonly path?: string; readonly port: number | string; readonly scheme?: string };
  readonly tcpSocket?: { readonly port: number | string };
  readonly exec?: { readonly command?: readonly string[] };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
  readonly successThreshold?: number;
}

export interface ProbeTarget {
  readonly clock: HistoryClock;
  readonly spec: ContainerSpec;
  readonly podIP: string;
  /** Whether probes have the delays of their spec: not in a scenario without start delays. */
  readonly hasDelays: boolean;
  /** Returns when the container's probes fail, according to the scenario. */
  failures(): readonly ProbeFailure[];
  /** Whether the kubelet works. */
  isProbed(): boolean;
  /** Called when one probe failed, with the probe's own message. */
  onFailure(kind: ProbeKind, message: string): void;
  /** Called when `ready` or `started` changed. */
  onChange(): void;
  /** Called when a liveness or startup probe failed as often as its threshold. */
  onDead(kind: ProbeKind): void;
}

/** Time between the start of a container and its first probe without a delay. */
const FIRST_PROBE_MS = 1000;

/**
 * The probes of one container, across all its runs (pkg/kubelet/prober/worker.go). A probe that never fails in the
 * scenario, and has no delay, needs no timer: the container is ready at once. One that never fails ends with its first
 * success.
 */
export class ContainerProbes {
  ready = false;
  started = false;
  readonly #target: ProbeTarget;
  #run = 0;
  #startMs = 0;

  constructor(target: ProbeTarget) {
    this.#target = target;
  }

  begin(): void {
    this.#run++;
    this.#startMs = this.#target.clock.now();
    this.started = !this.#isProbed('startup');
    this.ready = this.started && !this.#isProbed('readiness');
    if (this.started) this.#beginOthers();
    else this.#repeat('startup');
  }

  end(): void {
    this.#run++;
    this.ready = false;
    this.started = false;
  }

  #beginOthers(): void {
    if (this.#isProbed('readiness')) this.#repeat('readiness');
    if (this.#mayFail('liveness')) this.#repeat('liveness');
  }

  /** Whether a container may not count as ready, or started, at once. */
  #isProbed(kind: 'startup' | 'readiness'): boolean {
    return this.#mayFail(kind) || this.#delayMs(kind) > 0;
  }

  #delayMs(kind: ProbeKind): number {
    return this.#target.hasDelays ? (this.#spec(kind)?.initialDelaySeconds ?? 0) * 1000 : 0;
  }

  #mayFail(kind: ProbeKind): boolean {
    return this.#spec(kind) !== undefined && this.#target.failures().some(({ probe }) => probe === kind);
  }

  #spec(kind: ProbeKind): ProbeSpec | undefined {
    return this.#target.spec[`${kind}Probe`] as ProbeSpec | undefined;
  }

  #repeat(kind: ProbeKind): void {
    const { clock } = this.#target;
    const { periodSeconds = 10 } = this.#spec(kind) ?? {};
    const run = this.#run;
    const results = { passed: 0, failed: 0 };
    const probe = () => {
      if (this.#run !== run) return;
      if (this.#target.isProbed()) this.#probe(kind, results);
      const isDone = kind === 'startup' ? this.started : this.ready && !this.#mayFail(kind);
      if (this.#run === run && !isDone) clock.after(periodSeconds * 1000, probe);
    };
    // The delay begins with the container, also if its startup probe has taken some of it.
    const leftMs = this.#startMs + this.#delayMs(kind) - clock.now();
    clock.after(Math.max(FIRST_PROBE_MS, leftMs), probe);
  }

  #probe(kind: ProbeKind, results: { passed: number; failed: number }): void {
    const { failureThreshold = 3, successThreshold = 1 } = this.#spec(kind) ?? {};
    const failure = this.#target.failures().find((one) => one.probe === kind && this.#isNow(one));
    if (failure === undefined) {
      results.failed = 0;
      results.passed++;
      if (results.passed >= successThreshold) this.#pass(kind);
      return;
    }
    results.passed = 0;
    results.failed++;
    this.#target.onFailure(kind, this.#failureText(kind, failure));
    if (results.failed >= failureThreshold) this.#fail(kind);
  }

  #isNow({ from, until, after }: ProbeFailure): boolean {
    const { clock } = this.#target;
    const nowMs = clock.now();
    if (from !== undefined && nowMs < clock.startMs + durationMs(from)) return false;
    if (until !== undefined && nowMs >= clock.startMs + durationMs(until)) return false;
    return after === undefined || nowMs >= this.#startMs + durationMs(after);
  }

  #pass(kind: ProbeKind): void {
    if (kind === 'startup') {
      this.started = true;
      this.ready = !this.#isProbed('readiness');
      this.#beginOthers();
      this.#target.onChange();
    } else if (kind === 'readiness' && !this.ready) {
      this.ready = true;
      this.#target.onChange();
    }
  }

  #fail(kind: ProbeKind): void {
    if (kind !== 'readiness') {
      this.#run++;
      this.#target.onDead(kind);
    } else if (this.ready) {
      this.ready = false;
      this.#target.onChange();
    }
  }

  /** Returns the probe's message: pkg/probe/http/http.go, pkg/probe/tcp/tcp.go, pkg/probe/exec/exec.go. */
  #failureText(kind: ProbeKind, { answer, output }: ProbeFailure): string {
    const { httpGet, tcpSocket } = this.#spec(kind) ?? {};
    if (output !== undefined) return output;
    const address = `${this.#target.podIP}:${this.#portNumber((httpGet ?? tcpSocket)?.port)}`;
    if (tcpSocket !== undefined)
      return `dial tcp ${address}: ${answer === 'timeout' ? 'i/o timeout' : 'connect: connection refused'}`;
    if (typeof answer === 'number') return `HTTP probe failed with statuscode: ${answer}`;
    const url = `${(httpGet?.scheme ?? 'HTTP').toLowerCase()}://${address}${httpGet?.path ?? '/'}`;
    return answer === 'timeout'
      ? `Get "${url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`
      : `Get "${url}": dial tcp ${address}: connect: connection refused`;
  }

  #portNumber(port: number | string | undefined): number | string {
    const { ports = [] } = this.#target.spec;
    return ports.find(({ name }) => name === port)?.containerPort ?? port ?? 80;
  }
}
