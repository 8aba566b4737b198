// What a release is made of, for `npm run build:sbom`.
import { BUN } from './binary-targets.mjs';

/**
 * The packages that a file of license texts names, as `name@version`. The build writes one part a package, which begins
 * with `name version (license)`.
 *
 * @param {string} text
 */
export function bundledPackages(text) {
  return text.split('\n----\n\n').map((part) => {
    const match = /^(\S+) (\S+) \(.*\)\n/.exec(part);
    if (match === null)
      throw new Error(`a license text names no package: ${JSON.stringify(part.slice(0, 60))}`);
    return `${match[1]}@${match[2]}`;
  });
}

/**
 * The bill of materials of what is released: of npm's, which lists every package that a build or a test needs, only those
 * whose code is in the bundle, and Bun, which the executables carry. Throws where npm's lists one of them not.
 *
 * @param {object} all what `npm sbom --sbom-format cyclonedx` prints
 * @param {ReadonlySet<string>} bundled `name@version`
 * @param {string} name of the program: npm says the name of the folder
 */
export function releaseSbom(all, bundled, name) {
  const components = all.components.filter((component) => bundled.has(keyOf(component)));
  const listed = new Set(components.map(keyOf));
  const missing = [...bundled].filter((key) => !listed.has(key));
  if (missing.length > 0) throw new Error(`npm's bill of materials lacks ${missing.join(', ')}`);
  const refs = new Set(components.map((component) => component['bom-ref']));
  const root = all.metadata.component;
  const kept = all.dependencies.filter(({ ref }) => refs.has(ref));
  return {
    ...all,
    metadata: { ...all.metadata, component: { ...root, name } },
    components: [...components.map(asPartOfBundle), bun()],
    dependencies: [
      { ref: root['bom-ref'], dependsOn: [...refs, bun()['bom-ref']] },
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

/** npm takes them for tools of development: their code is bundled, so nobody installs them. */
function asPartOfBundle(component) {
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
