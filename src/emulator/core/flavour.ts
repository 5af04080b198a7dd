import type { Dialect } from '../../model';
import { ASSUMED_SERVER_VERSION } from '../../model/versions';
import { Assumed } from '../assume';
import type { ServerFlavour } from './backend';

export const DEFAULT_SERVER_VERSION = `${ASSUMED_SERVER_VERSION}+ent`;
/** The build date that every version reports. */
export const BUILD_DATE = '2025-01-01T00:00:00Z';

const OLDEST_VERSION = [1, 13] as const;
const NEWEST_MAJOR = 2;

/** Returns the version that engines and auth methods are shown with. */
export function pluginVersion({ version, assumed }: ServerFlavour): string {
  return assumed('pluginVersions').version(version.replace(/\+.*/, ''));
}

/**
 * Reads a server version such as `1.21.0+ent`, `1.13`, or `2.0.1`: with `+ent` (or `+ent.hsm`, ...)
 * the enterprise edition, without it the open-source one.
 *
 * @throws RangeError if the text is not a version, or one that the emulator does not know.
 */
export function serverFlavour(
  text: string,
  dialect: Dialect = 'vault',
  assumed: Assumed = new Assumed(),
): ServerFlavour {
  const match = /^(\d+)\.(\d+)(?:\.(\d+))?(\+[\w.-]+)?$/.exec(text);
  const [, major, minor, patch = '0', build = ''] = match ?? [];
  const number = [Number(major), Number(minor)] as const;
  const atLeast = (wantedMajor: number, wantedMinor: number) =>
    number[0] > wantedMajor || (number[0] === wantedMajor && number[1] >= wantedMinor);
  if (match === null || !atLeast(...OLDEST_VERSION) || number[0] > NEWEST_MAJOR) {
    throw new RangeError(
      `unknown server version "${text}": allowed are ${OLDEST_VERSION.join('.')} to ${NEWEST_MAJOR}.x, as in 1.21.0+ent ` +
        '(enterprise) or 1.21.0 (open source)',
    );
  }
  return {
    version: `${number.join('.')}.${patch}${build}`,
    enterprise: build.startsWith('+ent'),
    dialect,
    atLeast,
    assumed: (name) => assumed.of(name),
  };
}
