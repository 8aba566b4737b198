// Starts the simulated cluster: node scripts/run/simcluster.mjs SCENARIO [options]; --help lists them.
import { join } from 'node:path';

process.argv.splice(2, 0, join(import.meta.dirname, '../../packages/simcluster/src/main.ts'));
await import('./run-ts.mjs');
