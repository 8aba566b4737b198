import { posix } from 'node:path';

/** The fields that only a clone of the repository needs: its scripts name files that are not in the package. */
const OF_THE_CLONE = ['scripts', 'devDependencies', 'overrides', 'files', 'workspaces'];

/**
 * Returns the manifest of the package as published.
 *
 * @param {Readonly<Record<string, unknown>>} manifest
 */
export function publishedManifest(manifest) {
  return Object.fromEntries(Object.entries(manifest).filter(([key]) => !OF_THE_CLONE.includes(key)));
}

/**
 * Returns README.md for a package page: relative links and pictures point to the repository, at the tag of the version,
 * because the page has no other files. `folder`: the README's folder in the repository.
 *
 * @param {string} markdown
 * @param {{ version: string, repository: { url: string } }} manifest
 * @param {string} [folder]
 */
export function absoluteLinks(markdown, { version, repository }, folder = '.') {
  const home = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return replaceTargets(markdown, (target) => {
    if (!isRelative(target)) return target;
    return `${home}/${viewOf(target)}/v${version}/${posix.join(folder, target)}`;
  });
}

/**
 * Returns the files of the repository that a Markdown text links to or shows, without fragments.
 *
 * @param {string} markdown
 * @returns {string[]}
 */
export function relativeTargets(markdown) {
  const targets = [];
  replaceTargets(markdown, (target) => {
    if (isRelative(target)) targets.push(target.replace(/[#?].*$/, ''));
    return target;
  });
  return targets;
}

/** Replaces the targets of Markdown's inline and reference links and of HTML attributes; skips code. */
function replaceTargets(markdown, replace) {
  const code = [];
  const masked = markdown.replace(
    /^```[\s\S]*?^```|`(?:[^`\n]|\n(?!\n))*`/gm,
    (text) => `\0${code.push(text) - 1}\0`,
  );
  return masked
    .replace(/(\]\()([^)\s]+)/g, (_, before, target) => before + replace(target))
    .replace(/^( {0,3}\[[^\]]+\]: +)(\S+)/gm, (_, before, target) => before + replace(target))
    .replace(/\b((?:src|srcset|href)=")([^"]+)/g, (_, before, target) => before + replace(target))
    .replace(/\0(\d+)\0/g, (_, index) => code[Number(index)]);
}

/** GitHub shows a page at `blob`, and serves the bytes of a picture at `raw`. */
function viewOf(target) {
  return /\.(png|svg|jpe?g|gif|webp)$/.test(target) ? 'raw' : 'blob';
}

function isRelative(target) {
  return !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(target);
}
