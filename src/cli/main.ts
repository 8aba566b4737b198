import { findInPackage } from './find-in-package.ts';
import { startCli } from './start-cli.ts';

void startCli((path) => findInPackage(import.meta.dirname, path));
