import { randomUUID } from 'node:crypto';
import {
  REPLICATION_SET,
  REPLICATION_SET_TIMEOUTS,
  validateSecondaries,
  validateSetFields,
} from '../../../model';
import { phrase, set, type Message } from '../../../model/messages';
import { definitions, types, isKnown, isWhollyKnown, type Diagnostics } from '../../../plugin';
import { MessageError, report, reportFinding } from '../../messages';
import type { Clusters } from '../../clusters';
import { applySet, titleOf } from './apply';
import { discover, importedPrimary, isImported } from './discover';
import { applySteps, observe } from './decide';
import { noteKept, noteOutcome, replacedSet } from './kept-sets';
import { Memory } from './memory';
import { noticeEnding, refuseUnconfigured } from './messages';
import { Performer } from './perform';
import { planSet } from './plan';
import { planForDestroy, refusalsOnTheWay, stepsOf } from './planner';
import { SET_ATTRIBUTES, SET_BLOCKS, type SetState, type SetConfig } from './schema';
import { checkedState, observedState, saysEverything, withoutSteps } from './state';
import { knownFrom, leftIdsAfter, settingsOf } from './wanted';
import { refuseWrongAddresses } from './wrong-addresses';
import { reportTimeouts } from '../../fields';

type KnownSecondaries = Exclude<NonNullable<SetConfig['secondaries']>, symbol>;

const { resource } = definitions<Clusters>();

/** The resource of a whole replication set. */
export const REPLICATION_SET_RESOURCE = resource<typeof SET_ATTRIBUTES, typeof SET_BLOCKS>({
  name: REPLICATION_SET.name,
  schema: {
    version: 1,
    description: REPLICATION_SET.doc,
    attributes: SET_ATTRIBUTES,
    blocks: SET_BLOCKS,
  },
  upgrade: {
    0: (state) => withoutSteps(saysEverything(checkedState(state))),
    1: (state) => withoutSteps(checkedState(state)),
  },
  identity: {
    attributes: {
      cluster_id: {
        type: types.string,
        description: 'The id of the replication set. It stays when another cluster becomes the primary.',
        requiredForImport: true,
      },
    },
    of: ({ cluster_id }) => ({ cluster_id }),
  },

  validate({ config }, { diagnostics }) {
    checkConfig(config, diagnostics);
  },

  modifyPlan({ config, state, plan }, context) {
    return planSet(config, state, plan, context);
  },

  planDestroy({ state }, { providerData: provider, diagnostics, privateState }) {
    const title = titleOf(state.primary);
    noteOutcome(state, 'ended', { providerData: provider, diagnostics });
    if (state.deletion_protection) {
      report(diagnostics, 'error', protectedFromDeletion(title));
      return;
    }
    const memory = new Memory(privateState);
    memory.noteEnding();
    const { observed } = memory;
    const stepPlan = courseOfEnding(state, memory);
    const refusals = refusalsOnTheWay(stepPlan, observed);
    for (const refusal of refusals) {
      report(diagnostics, 'error', { ...refusal, path: [], summary: phrase`${title}: ${refusal.summary}` });
    }
    if (refusals.length > 0) return;
    const steps = stepsOf(stepPlan, observed);
    refuseUnconfigured(steps, provider, diagnostics);
    noticeEnding(title, steps, diagnostics);
  },

  create({ plan }, context) {
    return applySet(null, plan, context);
  },

  async read({ state }, context) {
    noteKept(state, context);
    const set = isImported(state) ? await discover(state, context) : state;
    const memory = new Memory(context.privateState);
    const { members, watched, ids } = courseOfEnding(set, memory);
    const { lost = [] } = knownFrom(set, memory);
    const performer = new Performer(context, { definition: REPLICATION_SET, title: titleOf(set.primary) });
    const look = observe([...members, ...watched], {
      ids,
      glanceAt: [...watched, ...lost],
      before: memory.observed,
      rereadFilters: true,
      onUnreadable: ({ summary, detail }) => context.diagnostics.warning(summary, detail),
    });
    const observation = await performer.run(look);
    await refuseWrongAddresses(observation, performer);
    const seen = observedState(set, observation);
    memory.leftIds = leftIdsAfter(knownFrom(set, memory), seen, observation);
    memory.observed = observation;
    return seen;
  },

  update({ state, plan }, context) {
    return applySet(state, plan, context);
  },

  async delete({ state }, context) {
    const title = titleOf(state.primary);
    if (state.deletion_protection) throw new MessageError(protectedFromDeletion(title));
    const memory = new Memory(context.privateState);
    // Without a refresh, the provider cannot see in the plan that Terraform will replace a tainted
    // set.
    if (!memory.ending) throw new MessageError(replacedSet(state.primary));
    const subject = { definition: REPLICATION_SET, title };
    const performer = new Performer(context, subject, (observation) => (memory.observed = observation));
    const steps = applySteps(courseOfEnding(state, memory), {
      title,
      apply: randomUUID(),
      settings: settingsOf(state, null),
      lookInto: [],
      before: memory.observed,
      expected: {},
      planned: 'all',
      settle: [],
    });
    await performer.run(steps);
  },

  async import(request, context) {
    const primary = await importedPrimary(request, context);
    return { id: primary, primary };
  },
});

function courseOfEnding(state: SetState, memory: Memory) {
  return planForDestroy(knownFrom(state, memory), state.abandoned_clusters ?? []);
}

function protectedFromDeletion(title: string): Message {
  return {
    summary: `${title} is protected from deletion`,
    details:
      'Ending a set disables replication on all its clusters: each keeps its data, and they diverge. ' +
      'To join them again, all but one must be erased.',
    cures: phrase`if that is intended, ${set('deletion_protection', false)} and apply, then destroy`,
  };
}

/**
 * Reports the errors in a configuration that are visible without the status of clusters. Unknown
 * values are checked later.
 */
function checkConfig(config: SetConfig, diagnostics: Diagnostics): void {
  const { secondaries, ...set } = config;
  reportTimeouts(REPLICATION_SET.title, REPLICATION_SET_TIMEOUTS, config.timeouts, diagnostics);
  const known = isKnown(secondaries) ? (secondaries ?? {}) : {};
  const isUnknown = (value: unknown) => !isWhollyKnown(value);
  const findings = [
    ...validateSetFields(set, Object.keys(known), isUnknown),
    ...validateSecondaries(valuesOf(known), isUnknown),
  ];
  for (const { definition, name, finding, path } of findings)
    reportFinding(diagnostics, definition, name, finding, path);
}

function valuesOf(secondaries: KnownSecondaries) {
  const entries = Object.entries(secondaries).map(
    ([name, { paths_filter, ...fields }]) => [name, { fields, filter: paths_filter ?? undefined }] as const,
  );
  return Object.fromEntries(entries);
}
