import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('plan-picture');
});

const SETTINGS = '%%{init: {"flowchart": {"wrappingWidth": 400}}}%%\n';
const EU = { id: 'eu', everything: null, paths_filter: { mode: 'deny', paths: ['us-only/'] } };
const EVERYTHING = { everything: true, paths_filter: null };

/** Returns the picture of a plan with these changes of sets, in Mermaid or in another format. */
async function pictureOf(changes: readonly object[], ...args: readonly string[]) {
  const file = join(folder, 'plan.json');
  const resource_changes = changes.map((change, index) => ({
    address: `vaultadmin_perf_replication_set.set${index + 1}`,
    mode: 'managed',
    type: 'vaultadmin_perf_replication_set',
    change,
  }));
  writeFileSync(file, JSON.stringify({ format_version: '1.2', resource_changes }));
  return vaultAdmin(['plan-picture', file, ...(args.length > 0 ? args : ['--format', 'mermaid'])], {});
}

test('the picture of a switchover shows a cluster that leaves, and a filter that changes', async () => {
  const { code, stdout, stderr } = await pictureOf([
    {
      actions: ['update'],
      before: {
        primary: 'us',
        secondaries: { eu: EU, ap: { id: 'ap-1', ...EVERYTHING }, old: { id: 'old', ...EVERYTHING } },
        members: { us: 'primary', eu: 'disabled', ap: 'secondary', old: 'unknown' },
        steps: [],
      },
      after: {
        primary: 'ap',
        secondaries: { us: EVERYTHING, eu: { id: 'eu', ...EVERYTHING } },
        steps: ['us: wait, then step down', 'eu: ERASE ALL DATA of this cluster, then join ap', 'old: leave'],
      },
      before_sensitive: { secondaries: { eu: {} } },
      after_sensitive: { steps: [false, false, false] },
    },
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(`${SETTINGS}flowchart TB
  subgraph g1["vaultadmin#95;perf#95;replication#95;set#46;set1#58; before"]
    direction LR
    p1b1["us<br/>primary"]
    p1b2["ap<br/>secondary #34;ap-1#34;"]
    p1b3["eu<br/>secondary<br/>reports#58; disabled"]
    p1b4["old<br/>secondary<br/>reports#58; unknown"]
  end
  subgraph g2["Steps"]
    direction TB
    p1s1["1#46; us<br/>wait, then step down"]
    p1s2["2#46; eu<br/>ERASE ALL DATA of this cluster, then<br/>join ap"]
    p1s3["3#46; old<br/>leave"]
  end
  subgraph g3["After"]
    direction LR
    p1a1["ap<br/>primary<br/>was secondary #34;ap-1#34;"]
    p1a2["eu<br/>secondary"]
    p1a3["us<br/>secondary<br/>was primary"]
    p1a4["old<br/>not in the set<br/>was secondary"]
  end
  p1b1 -->|"everything"| p1b2
  p1b1 -->|"deny us-only/"| p1b3
  p1b1 -->|"everything"| p1b4
  p1s1 --> p1s2
  p1s2 --> p1s3
  p1a1 -->|"everything<br/>was deny us-only/"| p1a2
  p1a1 -->|"everything"| p1a3
  g1 ==> g2
  g2 ==> g3
  linkStyle 5 stroke:#0969da,stroke-width:2px
  classDef changed stroke:#0969da,stroke-width:3px
  class p1a1,p1a3,p1a4 changed
  classDef bad stroke:#cf222e,stroke-width:3px
  class p1s2 bad
  classDef reported stroke-dasharray:5 4
  class p1a4 reported
`);
});

test('the picture shows sets that are created, destroyed and forgotten, and unknown steps; an unchanged set is left out', async () => {
  const set = { primary: 'us', secondaries: null, steps: [] };
  const { code, stdout } = await pictureOf([
    { actions: ['create'], before: null, after: { primary: 'us', secondaries: { eu: { id: 'eu' } } } },
    { actions: ['delete'], before: set, after: null },
    { actions: ['forget'], before: set, after: null },
    { actions: ['no-op'], before: set, after: set },
    { actions: ['update'], before: set, after: set },
  ]);
  expect(code).toBe(0);
  const lines = stdout.split('\n').map((line) => line.trim());
  expect(lines.filter((line) => /^(subgraph|p\d)/.test(line) && !line.includes(' --> '))).toEqual([
    'subgraph g1["vaultadmin#95;perf#95;replication#95;set#46;set1#58; before"]',
    'p1b1["not managed by Terraform yet"]',
    'subgraph g2["Steps"]',
    'p1s1["known only when the plan is applied"]',
    'subgraph g3["After"]',
    'p1a1["us<br/>primary"]',
    'p1a2["eu<br/>secondary"]',
    'subgraph g4["vaultadmin#95;perf#95;replication#95;set#46;set2#58; before"]',
    'p2b1["us<br/>primary"]',
    'subgraph g5["Steps"]',
    'p2s1["listed in a warning of terraform plan#58; the set ends"]',
    'subgraph g6["After"]',
    'p2a1["no replication set"]',
    'subgraph g7["vaultadmin#95;perf#95;replication#95;set#46;set3#58; before"]',
    'p3b1["us<br/>primary"]',
    'subgraph g8["Steps"]',
    'p3s1["none#58; the clusters stay as they are"]',
    'subgraph g9["After"]',
    'p3a1["as before, but no longer managed by Terraform"]',
    'subgraph g10["vaultadmin#95;perf#95;replication#95;set#46;set5#58; before"]',
    'p4b1["us<br/>primary"]',
    'subgraph g11["Steps"]',
    'p4s1["none#58; only settings change"]',
    'subgraph g12["After"]',
    'p4a1["us<br/>primary"]',
    'p1a1 -->|"known after the apply"| p1a2',
  ]);
});

test('the picture of a plan is SVG by default', async () => {
  const { code, stdout } = await pictureOf(
    [{ actions: ['create'], before: null, after: { primary: 'us', secondaries: {}, steps: ['us: do it'] } }],
    '--format',
    'svg',
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^<svg [^]*>1\. us<[^]*>do it<[^]*<\/svg>\n$/);
  const again = await vaultAdmin(['plan-picture', join(folder, 'plan.json')], {});
  expect(again.stdout).toBe(stdout);
});

test('sensitive values of the configuration are not shown', async () => {
  const { stdout } = await pictureOf([
    {
      actions: ['create'],
      before: null,
      after: {
        primary: 'canary-1',
        secondaries: { eu: { id: 'canary-2', paths_filter: { mode: 'deny', paths: ['canary-3/', 'a/'] } } },
        steps: ['canary-4'],
      },
      after_sensitive: {
        primary: true,
        secondaries: { eu: { id: true, paths_filter: { paths: [true, false] } } },
        steps: true,
      },
    },
  ]);
  expect(stdout).toContain('deny #40;sensitive#41;<br/>deny a/');
  expect(stdout).not.toContain('canary');
});

test('nothing is printed if the plan changes no set', async () => {
  expect(await pictureOf([{ actions: ['no-op'] }])).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await pictureOf([])).toEqual({ code: 0, stdout: '', stderr: '' });
});

/**
 * Returns a plan whose values, and whose marks of sensitive values, have the given number of
 * levels.
 */
function deepPlan(levels: number): string {
  const value = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const change = `{"actions":["create"],"after":${value},"after_sensitive":${value}}`;
  return `{"format_version":"1.2","resource_changes":[{"mode":"managed","type":"vaultadmin_perf_replication_set","change":${change}}]}`;
}

test.each<[what: string, content: string]>([
  ['no JSON', 'Terraform will perform the following actions:'],
  ['a state', '{"version":4,"resources":[]}'],
  ['a list', '[]'],
  ['a plan with values of 20,000 levels', deepPlan(20_000)],
])('plan-picture refuses %s', async (_what, content) => {
  const file = join(folder, 'other.json');
  writeFileSync(file, content);
  const { code, stdout, stderr } = await vaultAdmin(['plan-picture', file], {});
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('is not a plan in JSON\n');
});

test.each([
  [{ actions: ['update'], before: 1, after: [] }],
  [
    {
      actions: ['update'],
      before: { primary: {}, secondaries: { eu: 7 } },
      after: { secondaries: [], steps: [null, {}] },
    },
  ],
  [
    {
      actions: null,
      before: null,
      after: { secondaries: { ['__proto__']: {}, constructor: {} }, members: 'x', steps: 'x' },
    },
  ],
])('plan-picture draws a picture of the unusual change %j', async (change) => {
  const { code, stdout, stderr } = await pictureOf([change]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('flowchart TB');
});
