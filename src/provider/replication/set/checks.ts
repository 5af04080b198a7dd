import { describeFinding, PATHS_FILTER, validate } from '../../../model';
import { isKnown, isWhollyKnown, type Diagnostics, type Path } from '../../../plugin';
import { reportTimeouts } from '../shared/timeouts';
import { REPLICATION_SET } from './definition';
import { list, quote } from './planner';
import type { SetConfig } from './schema';

type KnownSecondaries = Exclude<NonNullable<SetConfig['secondaries']>, symbol>;
type SecondaryConfig = KnownSecondaries[string];

/** Tells what is wrong with a configuration by itself. What is not known yet waits. */
export function checkConfig(config: SetConfig, diagnostics: Diagnostics): void {
  const { title } = REPLICATION_SET;
  const { primary, force_promotion: forced, abandoned_clusters: abandoned } = config;
  reportTimeouts(title, config.timeouts, diagnostics);
  const secondaries = isKnown(config.secondaries) ? (config.secondaries ?? {}) : {};

  if (isKnown(primary) && Object.hasOwn(secondaries, primary)) {
    diagnostics.error(
      `${title}: ${quote(primary)} is to be the primary, and a secondary of itself`,
      `To do: take ${quote(primary)} out of secondaries, or name another cluster as primary.`,
      ['secondaries', primary],
    );
  }
  if (isKnown(primary) && typeof forced === 'string' && forced !== primary) {
    diagnostics.error(
      `${title}: force_promotion does not name the primary`,
      `Received: ${quote(forced)}.\nAllowed: ${quote(primary)}, the name of the cluster that is to take over by force.\n` +
        'To do: leave force_promotion out, unless the old primary is lost.',
      ['force_promotion'],
    );
  }
  for (const name of isWhollyKnown(abandoned) ? ((abandoned ?? []) as readonly string[]) : []) {
    if (name !== primary && !Object.hasOwn(secondaries, name)) continue;
    diagnostics.error(
      `${title}: ${quote(name)} is in the set and among the abandoned clusters`,
      'Allowed: clusters that are gone for good.\nTo do: take it out of one of the two.',
      ['abandoned_clusters'],
    );
  }
  for (const [name, secondary] of Object.entries(secondaries)) checkSecondary(name, secondary, diagnostics);
  checkIds(secondaries, diagnostics);
}

function checkSecondary(name: string, secondary: SecondaryConfig, diagnostics: Diagnostics): void {
  const path: Path = ['secondaries', name];
  const { id, paths_filter: filter, confirm_data_loss: confirmed } = secondary;
  if (typeof confirmed === 'string' && confirmed !== name) {
    diagnostics.error(
      `${REPLICATION_SET.title}: confirm_data_loss of ${quote(name)} does not name the cluster`,
      `Received: ${quote(confirmed)}.\nAllowed: ${quote(name)}.\n` +
        `To do: write ${quote(name)} if everything that the cluster holds may be erased, or leave it out.`,
      path,
    );
  }
  const values = {
    ...(isKnown(filter) && filter ? filter : { paths: [], mode: 'deny' }),
    secondary_id: id ?? name,
  };
  const open = Object.entries(values).filter(([, value]) => !isWhollyKnown(value));
  for (const finding of validate(PATHS_FILTER, values, new Set(open.map(([field]) => field)))) {
    const { summary, detail } = describeFinding(PATHS_FILTER, name, finding);
    diagnostics[finding.severity](summary, detail, path);
  }
}

/** A token for an id makes that of another cluster useless. */
function checkIds(secondaries: KnownSecondaries, diagnostics: Diagnostics): void {
  const byId = new Map<string, string[]>();
  for (const [name, { id }] of Object.entries(secondaries)) {
    if (isKnown(id)) byId.set(id ?? name, [...(byId.get(id ?? name) ?? []), name]);
  }
  for (const [id, names] of byId) {
    if (names.length < 2) continue;
    diagnostics.error(
      `${REPLICATION_SET.title}: ${list(names)} have the same id`,
      `Received: id = ${quote(id)} for each.\nAllowed: an id of its own for every secondary.\n` +
        'To do: give them different ids, or leave id out: it is the name of the cluster then.',
      ['secondaries', names.at(-1)!],
    );
  }
}
