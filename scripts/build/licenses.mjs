import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the license texts of packages in a bundle, as their licenses require.
 *
 * @param {string} root
 * @param {Iterable<string>} folders relative to the root, `node_modules/name`
 */
export async function licenses(root, folders) {
  const texts = [];
  for (const folder of [...folders].sort()) {
    const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'license'].find((name) =>
      existsSync(join(root, folder, name)),
    );
    const text =
      file === undefined ? withoutText(manifest) : await readFile(join(root, folder, file), 'utf8');
    texts.push(`${manifest.name} ${manifest.version} (${manifest.license})\n\n${text.trim()}\n`);
  }
  return texts.join('\n----\n\n');
}

/** Some packages only name their license. */
function withoutText({ name, author, repository }) {
  const address = typeof repository === 'string' ? repository : repository?.url;
  const named = typeof author === 'string' ? author : author?.name;
  const owner = named ?? (address === undefined ? undefined : `the authors of ${name}`);
  if (owner === undefined) throw new Error(`${name} has no license text, and names no author and no place`);
  return `Copyright (c) ${owner}\n${address ?? ''}`;
}
