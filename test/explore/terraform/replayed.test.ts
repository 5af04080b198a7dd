/** Takes paths of the search with the real terraform, the provider and emulated clusters. */
import { pathsOf, searchOf, tasksOf, type PathFile } from '../apply/main';
import { parsePath } from './path-file';
import { replayPath } from './replayed';

/** Returns the paths of a search. */
function pathsFrom(...[options]: Parameters<typeof tasksOf>): readonly PathFile[] {
  return tasksOf(options).flatMap((task) => pathsOf(task, searchOf(task)));
}

/** Returns the first path with a transition that matches. */
function withStep(paths: readonly PathFile[], step: RegExp): PathFile {
  const found = paths.find(({ path }) => path.some((label) => step.test(label)));
  if (!found) throw new Error(`no path has ${step.source}`);
  return found;
}

/** Returns the same path up to a step, with another step in its place. */
function insteadOf(step: RegExp, file: PathFile, label: string): PathFile {
  const at = file.path.findIndex((each) => step.test(each));
  return { ...file, path: [...file.path.slice(0, at), label] };
}

const [removals, failOvers, byHand] = [
  pathsFrom({ bound: ['A'], start: 'removal', samples: 5_000 }),
  pathsFrom({ bound: ['A'], start: 'fail-over by force', samples: 60 }),
  pathsFrom({ bound: ['AH'], start: 'unchanged', samples: 5_000 }),
];

const LOST = /^1: disable_secondary eu lost before/;
const refused = insteadOf(
  LOST,
  withStep(removals, LOST),
  '1: disable_secondary eu refused: failed (cannot disable_secondary the set on cluster "eu": the server failed: Server_erro)',
);

test.each<[string, readonly PathFile[], RegExp]>([
  ['a request that is lost on its way', removals, LOST],
  ['a request whose answer is lost', removals, /^1: disable_secondary eu lost after/],
  ['a request that a server refuses', [refused], /refused: failed/],
  ['a request that takes effect later', removals, /arrives late$/],
  ['a process that is killed', removals, /^1: killed$/],
  ['a cluster that is sealed', removals, /^seal /],
  ['a server that starts again', removals, /^crash /],
  ['a cluster that does not answer', removals, /^silence \w+$/],
  ['a cluster that neither answers nor reaches others', removals, /^silence \w+, cut /],
  ['a cluster that answers again', failOvers, /^speak /],
  ['two clusters that do not reach each other', removals, /^cut /],
  ['another cluster at the address', removals, /^initialize /],
  ['a cluster that is restored from a copy', removals, /^restore /],
  ['a promotion by hand', byHand, /^by hand: promote /],
  ['a write by hand', byHand, /^by hand: write /],
])('a path with %s has the same steps as in the search', async (_what, paths, step) => {
  const { divergence, lines } = await replayPath(withStep(paths, step));
  expect(divergence).toBeUndefined();
  expect(lines.length).toBeGreaterThan(1);
});

describe('the path of a search with a provider that does not see a primary that is back', () => {
  const [found] = pathsFrom({ bound: ['A'], start: 'fail-over by force', plant: 'blind look' });

  test('the path leads to a second primary', async () => {
    expect(found!.property).toBe('a second primary');
    const { divergence, clusters } = await replayPath(found!);
    expect(divergence).toBeUndefined();
    expect(clusters).toEqual([
      'us: primary of set 1, knows eu (disconnected), filters {}, writes 0',
      'eu: primary of set 1, knows nobody, filters {}, writes 0, unavailable',
    ]);
  });

  test('the real provider makes a different request on this path', async () => {
    const { divergence, clusters } = await replayPath(found!, (_request, outcome) => outcome);
    expect(divergence).toMatch(
      /^\d+\. 1: promote eu : the provider asks for status (us, status eu|eu, status us)$/,
    );
    expect(clusters[0]).toMatch(/^us: primary /);
    expect(clusters[1]).toMatch(/^eu: secondary /);
  });
});

test('a path that the search does not have is an error', async () => {
  const file = { bound: 'A', start: 'unchanged', path: ['1: demote us '] };
  await expect(replayPath(file)).rejects.toThrow('step 1 is not possible here: 1: demote us ');
});

test.each([
  ['{', 'not JSON'],
  ['{}', 'it needs the members bound, start and path'],
  ['{ "bound": "A", "start": "unchanged", "path": [1] }', 'path must be a list of texts'],
  ['{ "bound": "A", "start": "unchanged", "path": ["sing"] }', 'no transition of a search: sing'],
  ['{ "bound": "Z", "start": "unchanged", "path": [] }', 'no bound Z; there are A, A1,'],
  ['{ "bound": "A", "start": "holiday", "path": [] }', 'bound A has no start holiday'],
  ['{ "bound": "B", "start": "two fail-overs", "path": [] }', 'a path of bound B has two applies'],
  ['{ "bound": "AL", "start": "removal", "path": [] }', 'a path of bound AL has two applies'],
  [
    '{ "bound": "A", "start": "unchanged", "plant": "tree", "path": [] }',
    'no planted fault tree; there are blind look,',
  ],
])('the file %s is refused', (text, reason) => {
  expect(() => parsePath(text)).toThrow(reason);
});
