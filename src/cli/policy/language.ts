import { OLDEST_WITH_SENTINEL, sentinelOf } from '../../model/sentinel';
import type { LanguageVersion } from '../../sentinel';
import { UserError } from '../errors';

export interface LanguageFlags {
  readonly serverVersion?: string;
  readonly sentinelVersion?: string;
}

/** Returns the version of the language that policies may use; `undefined` for the latest. */
export function languageOf({ serverVersion, sentinelVersion }: LanguageFlags): LanguageVersion | undefined {
  if (serverVersion !== undefined) {
    const language = sentinelOf(serverVersion);
    if (language) return language;
    throw new UserError(
      `--server-version: ${JSON.stringify(serverVersion)} is not a known version of Vault; allowed: ${OLDEST_WITH_SENTINEL} or later`,
    );
  }
  if (sentinelVersion === undefined) return undefined;
  if (/^0\.[0-9]+(?:\.[0-9]+)?$/.test(sentinelVersion)) return { newest: sentinelVersion };
  throw new UserError(
    `--sentinel-version: ${JSON.stringify(sentinelVersion)} is not a valid version; expected a version such as 0.22`,
  );
}
