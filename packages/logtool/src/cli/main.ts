import { findInPackage, startCli } from './start-cli.ts';

void startCli(process.argv[1] ?? '', (path) => findInPackage(import.meta.dirname, path));
