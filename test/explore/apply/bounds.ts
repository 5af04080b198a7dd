/** The bounds that are searched completely. */
import type { Assume } from '../../../src/emulator/assume';
import { eachAlone, eachPair, titleOf } from './alternatives';
import { furtherStarts } from './further-starts';
import type { Start } from './search';
import { assumedOf, oneApply, threeMembers, twoApplies, twoFailOvers, twoInTurn } from './starts';

export interface Bound {
  readonly name: string;
  readonly title: string;
  readonly starts: () => readonly Start[];
}

/** Alternatives of the assumptions that make an apply difficult. */
const FORGETFUL: Assume = {
  tokensAfterDemotion: 'revoked',
  lastRemoteWal: 'zero',
  clusterIdAfterJoin: 'renewed',
};
const REFUSING: Assume = {
  disconnectedState: 'streaming',
  secondaryIdAfterDemotion: 'kept',
  addressesAfterDemotion: 'kept',
  revocationOfUnknownId: 'refused',
  removalOfMissingFilter: 'refused',
  filterAfterNewToken: 'dropped',
};

export const BOUNDS: readonly Bound[] = [
  { name: 'A', title: 'one apply of two members, one fault', starts: () => oneApply(assumedOf()) },
  {
    name: 'A1',
    title: 'the same where servers forget: tokens, positions, ids',
    starts: () => under(FORGETFUL),
  },
  {
    name: 'A2',
    title: 'the same where servers keep what is over, and refuse what is done',
    starts: () => under(REFUSING),
  },
  {
    name: 'AH',
    title: 'one apply of two members, one fault and one step of a person',
    starts: () => oneApply(assumedOf(), { hands: 1 }),
  },
  {
    name: 'AF',
    title: 'one apply of two members, two faults',
    starts: () => oneApply(assumedOf(), { faults: 2 }),
  },
  {
    name: 'AL',
    title:
      'two applies of two members, one after the other; a request of the first takes effect in the second',
    starts: () => twoInTurn(assumedOf()),
  },
  {
    name: 'B',
    title: 'two applies of two states after the primary has died, one of which may be killed',
    starts: () => twoFailOvers(assumedOf()),
  },
  {
    name: 'B2',
    title: 'two applies of two states in turns while the primary answers, one of which may be killed',
    starts: () => twoApplies(assumedOf()),
  },
  {
    name: 'C',
    title: 'one apply of two members, one fault, under each other alternative of an assumption alone',
    starts: () => eachAlone().flatMap((assume) => underAlternative(assume, titleOf(assume))),
  },
  {
    name: 'C2',
    title: 'the same under combinations in which each two alternatives occur together',
    starts: () => eachPair().flatMap((assume, index) => underAlternative(assume, `combination ${index + 1}`)),
  },
  { name: 'D', title: 'one apply of three members, one fault', starts: () => threeMembers(assumedOf()) },
  {
    name: 'E',
    title:
      'one apply of a set that was left half done, given up in part, imported, or joined by others; one fault',
    starts: () => furtherStarts(assumedOf()),
  },
];

function under(assume: Assume): readonly Start[] {
  return oneApply(assumedOf(assume)).map((start) => ({ ...start, assume }));
}

function underAlternative(assume: Assume, row: string): readonly Start[] {
  return under(assume).map((start) => ({ ...start, row }));
}
