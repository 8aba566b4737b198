import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { onTestFinished } from 'vitest';
import { loadScenario } from '../scenario/load.ts';
import type { Simulation } from '../scenario/simulation.ts';
import { startSimulation } from '../scenario/start-simulation.ts';
import type { StoredObject } from '../store/store.ts';

/** A scenario that a test plays, with time in its hands. */
export interface Playing {
  readonly sim: Simulation;
  readonly clock: FakeClock;
  /** Where the nodes' log files lie. */
  readonly directory: string;
}

/** Plays a scenario on a clock that stands still; closed when the test has finished. An error of the simulation throws. */
export async function play(scenario: unknown, seed = 1): Promise<Playing> {
  const directory = await mkdtemp(join(tmpdir(), 'scenario-'));
  const clock = new FakeClock();
  const report = (error: unknown) => {
    throw error;
  };
  const loaded = await loadScenario(scenario);
  const sim = await startSimulation({ scenario: loaded, clock, seed, logDirectory: directory, report });
  onTestFinished(async () => {
    await sim.close();
    await rm(directory, { recursive: true, force: true });
  });
  return { sim, clock, directory };
}

/** Names of all objects of a resource. */
export function names(sim: Simulation, resource = 'pods'): readonly string[] {
  return sim.store.list(resource).map((object) => object.metadata.name);
}

/** The first pod whose name begins so. */
export function podNamed(sim: Simulation, prefix: string): StoredObject {
  const found = sim.store.list('pods').find((object) => object.metadata.name.startsWith(prefix));
  if (found === undefined) throw new Error(`no pod ${prefix}`);
  return found;
}
