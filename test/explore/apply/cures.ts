/** Follows the cures of an error, as a person would. */
import { actionsIn, renderPhrase, type Action } from '../../../src/model/messages';
import { MessageError } from '../../../src/provider/messages';
import type { SetValues } from '../../../src/provider/replication/set/wanted';
import { happened, step, type Assumed, type Event, type Request, type World } from '../model';
import { NAMES } from './answering';
import { imported, valuesOf } from './starts';
import type { Result, Stored } from './terraform';

/** The situation of one Terraform between two runs. */
export interface Situation {
  readonly world: World;
  readonly stored: Stored;
  readonly values: SetValues | undefined;
  /** Whether a force or a confirmation was needed. */
  readonly costly: boolean;
}

/** Returns the situations after each cure alone, the plain ones first. The first of all is to apply again. */
export function cured(result: Result, before: Situation, assumed: Assumed): readonly Situation[] {
  const actions =
    result.kind === 'failed' && result.error instanceof MessageError
      ? actionsIn(result.error.content)
      : result.kind === 'refused'
        ? result.actions
        : [];
  const each = actions.flatMap((action) => followed(action, before, assumed) ?? []);
  // A cure may consist of several settings.
  const settings = actions.filter(({ kind }) => kind === 'set' || kind === 'remove');
  const together =
    settings.length > 1
      ? [settings.reduce((situation, action) => followed(action, situation, assumed) ?? situation, before)]
      : [];
  const all = [before, ...each, ...together];
  return [...all.filter(({ costly }) => !costly), ...all.filter(({ costly }) => costly)];
}

function followed(action: Action, before: Situation, assumed: Assumed): Situation | undefined {
  switch (action.kind) {
    case 'run': {
      const world = action.clusters.reduce(
        (each, name) => byHand(each, name, action.command, assumed),
        before.world,
      );
      return world === before.world ? undefined : { ...before, world: healed(world, assumed) };
    }
    case 'set':
      return before.values && withSetting(before, before.values, action);
    case 'remove': {
      const name = /^secondaries\.(\w+)\.paths_filter$/.exec(renderPhrase(action.field))?.[1];
      const own = name === undefined ? undefined : before.values?.secondaries?.[name];
      if (!own) return undefined;
      const secondaries = {
        ...before.values!.secondaries,
        [name!]: { ...own, paths_filter: null, everything: true },
      };
      return { ...before, values: { ...before.values!, secondaries } };
    }
    case 'empty-storage': {
      const cluster = NAMES.indexOf(action.cluster);
      const world = happened(before.world, { kind: 'initialize', cluster }, assumed);
      return world && { ...before, world: healed(world, assumed) };
    }
    case 'import': {
      const found = imported(before.world);
      return found && { ...before, ...found };
    }
    default:
      return undefined;
  }
}

function withSetting(
  before: Situation,
  values: SetValues,
  { field, value }: Extract<Action, { kind: 'set' }>,
): Situation | undefined {
  const name = renderPhrase(field);
  if (value === undefined) return undefined;
  const given = JSON.parse(renderPhrase(value)) as string;
  if (name === 'force_promotion') {
    return { ...before, values: { ...withPrimary(values, given), force_promotion: given }, costly: true };
  }
  if (name === 'primary') {
    return given === values.primary ? undefined : { ...before, values: withPrimary(values, given) };
  }
  const cluster = /^secondaries\.(\w+)\.confirm_data_loss$/.exec(name)?.[1];
  const own = cluster === undefined ? undefined : values.secondaries?.[cluster];
  if (!own) return undefined;
  const secondaries = { ...values.secondaries, [cluster!]: { ...own, confirm_data_loss: given } };
  return { ...before, values: { ...values, secondaries }, costly: true };
}

/** The previous primary becomes a secondary. */
function withPrimary(values: SetValues, primary: string): SetValues {
  if (primary === values.primary) return values;
  const others = Object.entries(values.secondaries ?? {}).filter(([name]) => name !== primary);
  const former = Object.entries(valuesOf(primary, { [values.primary]: {} }).secondaries ?? {});
  return { ...values, primary, secondaries: Object.fromEntries([...others, ...former]) };
}

const COMMANDS: readonly (readonly [RegExp, (id: string) => Request])[] = [
  [/primary\/demote/, () => ({ kind: 'demote' })],
  [/secondary\/disable/, () => ({ kind: 'disable-secondary' })],
  [/secondary\/promote/, () => ({ kind: 'promote', addr: '', force: false })],
  [/revoke-secondary/, (id) => ({ kind: 'revoke', id })],
];

function byHand(world: World, name: string, command: string, assumed: Assumed): World {
  const request = COMMANDS.find(([pattern]) => pattern.test(command))?.[1](
    / id=(\S+)/.exec(command)?.[1] ?? '',
  );
  return (request && made(world, NAMES.indexOf(name), request, assumed)) ?? world;
}

/** A person logs in to a cluster and makes a request. @returns nothing where it is refused. */
export function made(world: World, cluster: number, request: Request, assumed: Assumed): World | undefined {
  const login = step(world, { cluster, by: 0, request: { kind: 'login' } }, assumed);
  if (login.answer.status >= 400) return undefined;
  const done = step(login.world, { cluster, by: 0, request }, assumed);
  return done.answer.status >= 400 ? undefined : done.world;
}

/** The world once all faults have ended. */
export function healed(world: World, assumed: Assumed): World {
  const all = [...world.clusters.keys()];
  const ends: Event[] = all.flatMap((cluster): Event[] => [
    { kind: 'speak', cluster },
    { kind: 'unseal', cluster },
    { kind: 'return', cluster },
    { kind: 'release', cluster },
    ...all.map((other): Event => ({ kind: 'mend', cluster, other })),
  ]);
  return [...ends, ...ends].reduce((before, event) => happened(before, event, assumed) ?? before, world);
}
