import { type FunctionTable, type GoFunction, goFunction } from '../../../template/function.ts';
import { parseConstraint, satisfies } from '../../../version/constraint.ts';
import { GoVersion, orGoError, versionOrError } from './go-version.ts';

const COMPARE = goFunction(['string', 'string'], 'bool', (call, constraint, version) => {
  call.charge(constraint.length);
  const range = orGoError(() => parseConstraint(constraint));
  return satisfies(versionOrError(version), range);
});

/** Sprig's version functions: http://masterminds.github.io/sprig/semver.html */
export const SEMVER_FUNCTIONS: FunctionTable = new Map<string, GoFunction>([
  ['semver', goFunction(['string'], '*semver.Version', (_call, text) => new GoVersion(versionOrError(text)))],
  ['semverCompare', COMPARE],
]);
