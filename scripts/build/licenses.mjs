import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the license texts of packages in a bundle, as their licenses require. Packages with the same text share it.
 *
 * @param {string} root
 * @param {Iterable<string>} folders relative to the root, `node_modules/name`
 */
export async function licenses(root, folders) {
  const packages = new Map();
  for (const folder of [...folders].sort()) {
    const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'license'].find((name) =>
      existsSync(join(root, folder, name)),
    );
    const text =
      file === undefined ? withoutText(manifest) : await readFile(join(root, folder, file), 'utf8');
    const named = packages.get(text.trim()) ?? [];
    packages.set(text.trim(), [...named, `${manifest.name} ${manifest.version} (${manifest.license})`]);
  }
  return [...packages].map(([text, named]) => `${named.join('\n')}\n\n${text}\n`).join('\n----\n\n');
}

/** Some packages only name their license. */
function withoutText({ name, author, repository }) {
  const address = typeof repository === 'string' ? repository : repository?.url;
  const named = typeof author === 'string' ? author : author?.name;
  const owner = named ?? (address === undefined ? undefined : `the authors of ${name}`);
  if (owner === undefined) throw new Error(`${name} has no license text, and names no author and no place`);
  return `Copyright (c) ${owner}\n${address ?? ''}`;
}
