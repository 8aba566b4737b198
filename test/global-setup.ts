import { oraclePaths } from './oracle/kubectl.ts';

/** Unpacks the oracles before the test files start, so that they do not all do it at once. */
export default async function setup(): Promise<void> {
  await oraclePaths();
}
