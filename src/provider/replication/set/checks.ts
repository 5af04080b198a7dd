import {
  describeFinding,
  REPLICATION_SET,
  REPLICATION_SET_TIMEOUTS,
  validateSecondaries,
  validateSetFields,
} from '../../../model';
import { isKnown, isWhollyKnown, type Diagnostics } from '../../../plugin';
import { reportTimeouts } from '../../fields';
import type { SetConfig } from './schema';

type KnownSecondaries = Exclude<NonNullable<SetConfig['secondaries']>, symbol>;

/**
 * Reports the errors in a configuration that are visible without the status of clusters. Unknown
 * values are checked later.
 */
export function checkConfig(config: SetConfig, diagnostics: Diagnostics): void {
  const { secondaries, ...set } = config;
  reportTimeouts(REPLICATION_SET.title, REPLICATION_SET_TIMEOUTS, config.timeouts, diagnostics);
  const known = isKnown(secondaries) ? (secondaries ?? {}) : {};
  const isUnknown = (value: unknown) => !isWhollyKnown(value);
  const findings = [
    ...validateSetFields(set, Object.keys(known), isUnknown),
    ...validateSecondaries(valuesOf(known), isUnknown),
  ];
  for (const { definition, name, finding, path } of findings) {
    const { summary, detail } = describeFinding(definition, name, finding);
    diagnostics[finding.severity](summary, detail, path);
  }
}

function valuesOf(secondaries: KnownSecondaries) {
  const entries = Object.entries(secondaries).map(
    ([name, { paths_filter, ...fields }]) => [name, { fields, filter: paths_filter ?? undefined }] as const,
  );
  return Object.fromEntries(entries);
}
