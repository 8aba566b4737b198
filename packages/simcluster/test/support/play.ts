import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { onTestFinished } from 'vitest';
import { loadScenario } from '../../src/scenario/load.ts';
import type { Simulation } from '../../src/scenario/simulation.ts';
import { startSimulation } from '../../src/scenario/start-simulation.ts';
import type { StoredObject } from '../../src/store/store.ts';

/** A scenario that a test plays, with control over the time. */
export interface Playing {
  readonly sim: Simulation;
  readonly clock: FakeClock;
  /** The folder of the nodes' log files. */
  readonly directory: string;
}

/** Plays a scenario on a stopped clock; closes it when the test has finished. Throws an error of the simulation. */
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

/** Returns the names of all objects of a resource. */
export function names(sim: Simulation, resource = 'pods'): readonly string[] {
  return sim.store.list(resource).map((object) => object.metadata.name);
}

/** Returns the first pod whose name has this prefix. */
export function podNamed(sim: Simulation, prefix: string): StoredObject {
  const found = sim.store.list('pods').find((object) => object.metadata.name.startsWith(prefix));
  if (found === undefined) throw new Error(`no pod ${prefix}`);
  return found;
}
