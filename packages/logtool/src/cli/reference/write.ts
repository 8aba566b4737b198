import { readFileSync, writeFileSync } from 'node:fs';
import { manPage } from './man-page.ts';
import { markdownReference } from './markdown.ts';

// npm run docs: writes the reference; runs in the root of the repository.
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
writeFileSync('docs/cli.md', markdownReference());
writeFileSync('docs/logtool.1', manPage(version));
