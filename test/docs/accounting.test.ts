/** Checks that tests try every fenced block of every page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, ROOT } from './support/page';

const GUIDES = 'docs/guides';

/**
 * By page and language, the tests that try the blocks. These tests try all blocks: `follow` and
 * `appOf` leave none out, and `textsOf` refuses a page with more blocks than the test expects.
 */
const TESTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    sh: 'docs/readme',
    text: 'docs/readme',
    js: 'docs/readme',
  },
  [`${GUIDES}/adopting.md`]: { sh: 'docs/adopting', text: 'docs/adopting' },
  [`${GUIDES}/changing-providers.md`]: { ts: 'docs/changing-providers' },
  [`${GUIDES}/client.md`]: { ts: 'docs/readme' },
  [`${GUIDES}/command-line.md`]: { sh: 'docs/readme' },
  [`${GUIDES}/editors.md`]: { sh: 'docs/editors', lua: 'docs/editors', toml: 'docs/editors' },
  [`${GUIDES}/emulator.md`]: {
    json: 'docs/emulator',
    sh: 'docs/emulator',
    text: 'docs/emulator',
    ts: 'docs/emulator',
    python: 'languages/python',
  },
  [`${GUIDES}/first-policy.md`]: {
    sh: 'docs/first-policy',
    text: 'docs/first-policy',
    json: 'docs/first-policy',
    gitignore: 'docs/first-policy',
    ts: 'docs/first-policy',
    python: 'languages/python',
  },
  [`${GUIDES}/managed-keys.md`]: { ts: 'docs/guides', python: 'languages/python' },
  [`${GUIDES}/monitoring.md`]: {
    sh: 'docs/monitoring',
    text: 'docs/monitoring',
    hcl: 'docs/monitoring',
    bash: 'docs/monitoring',
  },
  [`${GUIDES}/other-tools.md`]: { json: 'docs/readme', sh: 'docs/readme' },
  [`${GUIDES}/pictures.md`]: { sh: 'docs/pictures', text: 'docs/pictures' },
  [`${GUIDES}/plain-terraform.md`]: { sh: 'docs/readme', terraform: 'docs/readme' },
  [`${GUIDES}/provider-in-javascript.md`]: {
    bash: 'docs/provider-in-javascript',
    js: 'docs/provider-in-javascript',
    terraform: 'docs/provider-in-javascript',
    hcl: 'docs/provider-in-javascript',
  },
  [`${GUIDES}/python.md`]: {
    sh: 'languages/python',
    json: 'languages/python',
    python: 'languages/python',
    text: 'languages/python',
  },
  [`${GUIDES}/pipelines.md`]: {
    sh: 'examples/gitops/guide',
    gitignore: 'examples/gitops/guide',
    text: 'examples/gitops/locks',
  },
  [`${GUIDES}/first-day.md`]: { sh: 'docs/first-day', text: 'docs/first-day' },
  [`${GUIDES}/real-servers.md`]: { sh: 'docs/real-servers', text: 'docs/real-servers' },
  [`${GUIDES}/registry.md`]: {
    sh: 'docs/registry',
    hcl: 'docs/registry',
    ts: 'docs/registry',
    python: 'languages/python',
  },
  [`${GUIDES}/replication-existing-pair.md`]: {
    sh: 'provider/replication/set/guides',
    terraform: 'provider/replication/set/guides',
  },
  [`${GUIDES}/replication-failover.md`]: {
    terraform: 'provider/replication/set/guides',
    text: 'provider/replication/set/guides',
  },
  [`${GUIDES}/replication-switchover.md`]: {
    terraform: 'provider/replication/set/guides',
    text: 'provider/replication/set/guides',
  },
  [`${GUIDES}/replication.md`]: {
    terraform: 'provider/replication/set/guides',
    text: 'provider/replication/set/guides',
    ts: 'docs/guides',
    python: 'languages/python',
  },
  [`${GUIDES}/namespaces.md`]: { ts: 'docs/guides', python: 'languages/python' },
  [`${GUIDES}/audit-devices.md`]: { ts: 'docs/guides', python: 'languages/python' },
  [`${GUIDES}/policies-that-answer.md`]: {
    hcl: 'docs/policies-that-answer',
    console: 'docs/policies-that-answer',
    json: 'docs/policies-that-answer',
    yaml: 'cli/policy/pre-commit',
    ts: 'docs/guides',
    python: 'languages/python',
  },
  [`${GUIDES}/auto-snapshots.md`]: { ts: 'docs/guides', python: 'languages/python' },
  [`${GUIDES}/sentinel.md`]: {
    sh: 'docs/sentinel',
    hcl: 'docs/sentinel',
    sentinel: 'docs/sentinel',
    terraform: 'docs/sentinel-roll-out',
    ts: 'docs/sentinel',
  },
  [`${GUIDES}/settings.md`]: {},
  [`${GUIDES}/several-clusters.md`]: {
    sh: 'docs/readme',
    text: 'docs/readme',
    ts: 'docs/readme',
    python: 'languages/python',
  },
  [`${GUIDES}/troubleshooting.md`]: {
    sh: 'docs/troubleshooting',
    text: 'docs/troubleshooting',
    hcl: 'docs/troubleshooting',
    gitignore: 'docs/troubleshooting',
  },
  [`${GUIDES}/where-terraform-runs.md`]: {
    yaml: 'docs/where-terraform-runs',
    hcl: 'docs/where-terraform-runs',
    sh: 'docs/where-terraform-runs',
    dockerfile: 'docs/where-terraform-runs',
    powershell: 'docs/where-terraform-runs',
  },
};

const pages = ['README.md', ...readdirSync(join(ROOT, GUIDES)).map((name) => `${GUIDES}/${name}`)];

test('the list contains every page', () => {
  expect(pages.sort()).toEqual(Object.keys(TESTS).sort());
});

test.each(pages)('the page %s has blocks of exactly these languages, and drawings', (page) => {
  const languages = blocksOf(page).map(({ language }) => language);
  const drawings = languages.filter((language) => language === '');
  expect([...new Set([...drawings, ...Object.keys(TESTS[page]!)])].sort()).toEqual(
    [...new Set(languages)].sort(),
  );
});

test.each(pages)('the page %s is read by each test that the list names for it', (page) => {
  const name = page.replace(/^.*\//, '').replace(/\.md$/, '');
  for (const file of new Set(Object.values(TESTS[page]!))) {
    expect(readFileSync(join(ROOT, 'test', `${file}.test.ts`), 'utf8')).toMatch(new RegExp(`\\b${name}\\b`));
  }
});
