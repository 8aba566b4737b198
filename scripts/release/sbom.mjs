// Lists what a release consists of, for `npm run build:sbom`.
import { BUN } from '../binary/binary-targets.mjs';

/**
 * Returns the packages that a file of license texts names, as `name@version`. The build writes one section per package,
 * which begins with `name version (license)`.
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
 * Returns the bill of materials of a release: of npm's, which lists every package that a build or a test needs, only
 * those with code in the bundle; also Bun, which the executables contain, and Node and the Debian packages of the
 * image. Throws if npm's lacks a bundled package.
 *
 * @param {object} all the output of `npm sbom --sbom-format cyclonedx`
 * @param {ReadonlySet<string>} bundled `name@version`
 * @param {string} name of the program: npm uses the name of the folder
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

/** npm marks these as development tools, because users do not install them: their code is bundled. */
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

/** The lock has an entry for each architecture. */
function debianPackage({ name, architecture, version, sha256 }) {
  // By https://github.com/package-url/purl-spec a colon stays unescaped, e.g. that of an epoch.
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
