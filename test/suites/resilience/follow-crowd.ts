import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import type { BuiltCli } from '../../support/program/build-cli.ts';
import { type Crowd, PODS, SKEW_MS } from './crowd.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

/** Reasons why a connection ended or failed, which depend on its state at that moment. */
const REASONS =
  /: (the connection broke in the middle of the answer|connect ECONNREFUSED \S+|read ECONNRESET|socket hang up|Client network socket disconnected before secure TLS connection was established)$/gm;

export const plain = (text: string) => text.replace(REASONS, ': WHY');

/** The real program while it follows a crowd; counts its records as they arrive. */
export class CrowdFollower {
  readonly program: RunningProgram;
  readonly #crowd: Crowd;
  /** By pod, in order of arrival. */
  readonly #printed = new Map<string, string[]>();
  /** By node, the time of the last record. */
  readonly #lastTimeMs = new Map<string, number>();
  #lines = 0;
  #check = () => {};

  private constructor(program: RunningProgram, crowd: Crowd) {
    this.program = program;
    this.#crowd = crowd;
    createInterface({ input: program.child.stdout }).on('line', (line) => {
      const { pod, message, node, timestamp } = JSON.parse(line);
      this.#lastTimeMs.set(node, Date.parse(timestamp));
      this.#printed.set(pod, [...(this.#printed.get(pod) ?? []), message]);
      this.#lines++;
      this.#check();
    });
    program.child.stderr.on('data', () => this.#check());
    program.child.once('exit', () => this.#check());
  }

  static async start(cli: BuiltCli, crowd: Crowd, kubeconfig: string): Promise<CrowdFollower> {
    const argv = ['logs', 'deployments/many', '-f', '--all', '-o', 'json'];
    return new CrowdFollower(await startProgram(cli, kubeconfig, argv), crowd);
  }

  /** Resolves once at least as many lines have arrived as the containers wrote. */
  caughtUp(): Promise<void> {
    return this.#until('all lines', () => this.#lines >= this.#crowd.written * PODS);
  }

  /** Resolves once standard error has this many lines. */
  reported(lines: number): Promise<void> {
    return this.#until(
      `${lines} lines on standard error`,
      () => this.program.stderr().split('\n').length > lines,
    );
  }

  /** Checks that each line of each container arrived once, in the container's order. */
  expectExact(): void {
    const wanted = Array.from({ length: this.#crowd.written }, (_, index) => `line ${index + 1}`);
    expect(this.#printed.size).toBe(PODS);
    for (const [pod, lines] of this.#printed) expect([pod, lines]).toEqual([pod, wanted]);
    // All containers wrote their last line at the same moment, each by its node's clock.
    const aheadMs = (this.#lastTimeMs.get('node-ahead') ?? 0) - (this.#lastTimeMs.get('node-a') ?? 0);
    expect(aheadMs).toBeGreaterThan(SKEW_MS / 2);
  }

  async interrupt(): Promise<void> {
    this.program.child.kill('SIGINT');
    const { code, left } = await this.program.ended;
    expect({ code, left }).toEqual({ code: 130, left: [] });
  }

  #until(what: string, isSo: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#check = () => {
        if (isSo()) resolve();
        else if (this.program.child.exitCode !== null)
          reject(new Error(`it ended before ${what}: ${this.program.stderr()}`));
      };
      this.#check();
    });
  }
}
