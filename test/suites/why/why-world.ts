import { type Clock, FakeClock } from '@logtool/kube/src/values/clock.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { capture } from '../../support/cli/capture.ts';
import { patientClock } from '../../support/patient-clock.ts';

/** The time at which each cluster's clock is stopped; its scenario fills the time before. */
export const NOON = Date.UTC(2026, 10, 22, 12);

interface LineJson {
  readonly pod: string;
  readonly container: string;
  readonly timestamp: string;
  readonly message: string;
  readonly detail?: string;
}

/** The parts of `-o json` that the tests read. */
export interface WhyJson {
  readonly outcome: string;
  readonly pods: { readonly total: number; readonly ready: number };
  readonly verdicts: readonly {
    readonly code: string;
    readonly data: Readonly<Record<string, unknown>>;
    readonly isOver: boolean;
    readonly pods: readonly string[];
    readonly doubts: readonly { readonly code: string }[];
    readonly proof: readonly unknown[];
    readonly lines?: {
      readonly firstError?: number;
      readonly records: readonly { readonly message: string }[];
    };
    readonly log?: {
      readonly firstError: LineJson;
      readonly newBefore: readonly LineJson[];
      readonly newCount: number;
    };
  }[];
  readonly rollout?: {
    readonly secondsBefore: number;
    readonly fact: { readonly data: Readonly<Record<string, unknown>> };
  };
  readonly also: readonly { readonly count: number; readonly fact: { readonly reason: string } }[];
  readonly doubts: readonly { readonly code: string }[];
  readonly logs?: { readonly containers: number; readonly from: string; readonly until?: string };
  readonly workloads: readonly {
    readonly subject: { readonly kind: string; readonly name: string };
    readonly outcome: string;
    readonly verdicts: readonly number[];
  }[];
  readonly healthy: { readonly count: number; readonly names: readonly string[] };
  readonly next: string;
}

export interface RanWhy {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface WhyWorld {
  readonly cluster: SimCluster;
  readonly why: (...argv: readonly string[]) => Promise<RanWhy>;
  /** Runs any command. */
  readonly run: (...argv: readonly string[]) => Promise<RanWhy>;
  readonly close: () => Promise<void>;
}

/** It is noon. */
const PATIENT_CLOCK = patientClock(() => NOON);

/** Starts a cluster for a scenario (a path or an object), and runs the command on it, with this clock. */
export async function openWhy(scenario: string | unknown, clock: Clock = PATIENT_CLOCK): Promise<WhyWorld> {
  const cluster = await startSimCluster({ scenario, clock: new FakeClock(NOON) });
  const runCommand = async (...argv: readonly string[]) => {
    const world = capture(argv, { env: { KUBECONFIG: cluster.kubeconfig }, overrides: { clock } });
    const code = await run(world.context);
    return { code, stdout: world.stdout(), stderr: world.stderr() };
  };
  return {
    cluster,
    run: runCommand,
    why: (...argv) => runCommand('why', ...argv),
    close: () => cluster.close(),
  };
}

/** Returns the answer for one source of a scenario. */
export async function whyOf(scenario: string | unknown, ...argv: readonly string[]): Promise<RanWhy> {
  const world = await openWhy(scenario);
  try {
    return await world.why(...argv);
  } finally {
    await world.close();
  }
}
