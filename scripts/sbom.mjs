// What a release is made of, for `npm run build:sbom`.
import { BUN } from './binary-targets.mjs';

/**
 * The packages that a file of license texts names, as `name@version`. The build writes one part a package, which begins
 * with `name version (license)`.
 *
 * @param {string} text
 */
export function bundledPackages(text) {
  return text.split('\n----\n\n').map((section) => {
    const match = /^(\S+) (\S+) \(.*\)\n/.exec(section);
    if (match === null)
      throw new Error(`a license text names no package: ${JSON.stringify(section.slice(0, 60))}`);
    return `${match[1]}@${match[2]}`;
  });
}

/**
 * The bill of materials of what is released: of npm's, which lists every package that a build or a test needs, only those
 * whose code is in the bundle, Bun, which the executables carry, and Node and the Debian packages of the image. Throws
 * where npm's lists one of them not.
 *
 * @param {object} all what `npm sbom --sbom-format cyclonedx` prints
 * @param {ReadonlySet<string>} bundled `name@version`
 * @param {string} name of the program: npm says the name of the folder
 * @param {import('./sbom.mjs').ImageLock} image scripts/image/lock.json
 */
export function releaseSbom(all, bundled, name, image) {
  const components = all.components.filter((component) => bundled.has(keyOf(component)));
  const listed = new Set(components.map(keyOf));
  const missing = [...bundled].filter((key) => !listed.has(key));
  if (missing.length > 0) throw new Error(`npm's bill of materials lacks ${missing.join(', ')}`);
  const refs = new Set(components.map((component) => component['bom-ref']));
  const root = all.metadata.component;
  const runtimes = [bun(), node(image), ...image.debian.map(debianPackage)];
  const kept = all.dependencies.filter(({ ref }) => refs.has(ref));
  return {
    ...all,
    metadata: { ...all.metadata, component: { ...root, name } },
    components: [...components.map(asBundleComponent), ...runtimes],
    dependencies: [
      { ref: root['bom-ref'], dependsOn: [...refs, ...runtimes.map((component) => component['bom-ref'])] },
      ...kept.map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: dependsOn.filter((other) => refs.has(other)),
      })),
    ],
  };
}

function keyOf({ name, version }) {
  return `${name}@${version}`;
}

/** npm treats them as development tools: their code is bundled, so users do not install them. */
function asBundleComponent(component) {
  const properties = component.properties?.filter(({ name }) => name !== 'cdx:npm:package:development');
  return { ...component, scope: 'required', ...(properties === undefined ? {} : { properties }) };
}

function bun() {
  return {
    'bom-ref': `bun@${BUN}`,
    type: 'platform',
    name: 'bun',
    version: BUN,
    scope: 'optional',
    description: 'The runtime inside the self-contained executables; the npm package and the image have none',
    purl: `pkg:npm/bun@${BUN}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
}

function node({ node: { version } }) {
  const purl = `pkg:generic/node@${version}`;
  return {
    'bom-ref': purl,
    type: 'platform',
    name: 'node',
    version,
    scope: 'optional',
    description: 'The runtime inside the container image',
    purl,
    licenses: [{ license: { id: 'MIT' } }],
  };
}

/** The lock names each architecture's own. */
function debianPackage({ name, architecture, version, sha256 }) {
  // https://github.com/package-url/purl-spec: a colon stays, such as that of an epoch.
  const encoded = (text) => encodeURIComponent(text).replaceAll('%3A', ':');
  const purl = `pkg:deb/debian/${encoded(name)}@${encoded(version)}?arch=${architecture}`;
  return {
    'bom-ref': purl,
    type: 'library',
    name,
    version,
    scope: 'optional',
    description: 'Inside the container image: files of this Debian package',
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    purl,
  };
}
