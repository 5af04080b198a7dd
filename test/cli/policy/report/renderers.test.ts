import type { CommandFinding, FindingsReport } from '../../../../src/cli/policy/report/finding';
import { githubCommands } from '../../../../src/cli/policy/report/github';
import { junitXml } from '../../../../src/cli/policy/report/junit';
import { markdownOf } from '../../../../src/cli/policy/report/markdown';
import { sarifLog } from '../../../../src/cli/policy/report/sarif';
import { PROVIDER_VERSION } from '../../../../src/provider/about';
import { elementsOf } from '../../support/xml';

const IN_A_FILE: CommandFinding = {
  rule: 'refused',
  severity: 'error',
  policy: 'app',
  place: 'policies/app.hcl',
  file: 'policies/app.hcl',
  line: 2,
  column: 19,
  message: 'invalid capability "raed"',
};
const IN_A_STACK: CommandFinding = {
  rule: 'open-path',
  severity: 'note',
  policy: 'ops',
  place: 'vault_policy.ops in stack us',
  message: 'needs no token',
};

function found(...findings: readonly CommandFinding[]): FindingsReport {
  const cases = [
    { policy: 'app', place: 'policies/app.hcl' },
    { policy: 'ops', place: 'vault_policy.ops in stack us' },
    { policy: 'good', place: 'policies/good.hcl' },
  ];
  return {
    command: 'policy lint',
    title: 'Findings in ACL policies',
    cases,
    findings,
    summary: '3 policies: 1 error',
  };
}

describe('annotations for GitHub', () => {
  test('findings are shown beside their lines, and others with their places', () => {
    expect(githubCommands(found(IN_A_FILE, IN_A_STACK))).toBe(
      '::error file=policies/app.hcl,line=2,col=19,title=app%3A refused::invalid capability "raed"\n' +
        '::notice title=ops%3A open-path::vault_policy.ops in stack us: needs no token\n' +
        ' 3 policies: 1 error\n',
    );
  });

  test('names and texts cannot begin another property or command', () => {
    const hostile = 'a::b,line=9%0A\r\n::error::x';
    const command = githubCommands(
      found({ ...IN_A_FILE, policy: hostile, file: hostile, message: hostile, severity: 'warning' }),
    );
    expect(command).toBe(
      '::warning file=a%3A%3Ab%2Cline=9%250A%0D%0A%3A%3Aerror%3A%3Ax,line=2,col=19,' +
        'title=a%3A%3Ab%2Cline=9%250A%0D%0A%3A%3Aerror%3A%3Ax%3A refused::a::b,line=9%250A%0D%0A::error::x\n' +
        ' 3 policies: 1 error\n',
    );
  });
});

describe('reports in the form of JUnit', () => {
  test('each policy is a test case, which fails if it has errors', () => {
    expect(junitXml(found(IN_A_FILE, IN_A_STACK))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="policy lint" tests="3" failures="1" errors="0">
  <testsuite name="policy lint" tests="3" failures="1" errors="0">
    <testcase classname="app" name="policies/app.hcl">
      <failure type="refused" message="invalid capability &quot;raed&quot;">policies/app.hcl:2:19: error: invalid capability &quot;raed&quot; [refused]</failure>
    </testcase>
    <testcase classname="ops" name="vault_policy.ops in stack us">
      <system-out>vault_policy.ops in stack us: note: needs no token [open-path]</system-out>
    </testcase>
    <testcase classname="good" name="policies/good.hcl">
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  test.each(['</failure><testcase name="x"/>', '"&amp;\'<![CDATA[', 'two\nlines', '\uFFFE', 'ümlaut 😀'])(
    'the text %j is kept',
    (text) => {
      const xml = junitXml(found({ ...IN_A_FILE, message: text }));
      const elements = elementsOf(xml);
      expect(elements.filter(({ name }) => name === 'testcase')).toHaveLength(3);
      const [failure] = elements.filter(({ name }) => name === 'failure');
      const kept = text.replace('\uFFFE', '\uFFFD');
      expect(failure).toEqual({
        name: 'failure',
        attributes: { type: 'refused', message: kept },
        text: `policies/app.hcl:2:19: error: ${kept} [refused]`,
      });
    },
  );
});

describe('logs in SARIF', () => {
  test('each finding is a result with its file, or with its place if it has no file', () => {
    expect(sarifLog(found(IN_A_FILE, IN_A_STACK))).toEqual({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'vault-admin',
              version: PROVIDER_VERSION,
              rules: [{ id: 'open-path' }, { id: 'refused' }],
            },
          },
          columnKind: 'unicodeCodePoints',
          results: [
            {
              ruleId: 'refused',
              ruleIndex: 1,
              level: 'error',
              message: { text: 'invalid capability "raed"' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'policies/app.hcl' },
                    region: { startLine: 2, startColumn: 19 },
                  },
                  logicalLocations: [{ name: 'app', fullyQualifiedName: 'policies/app.hcl: app' }],
                },
              ],
            },
            {
              ruleId: 'open-path',
              ruleIndex: 0,
              level: 'note',
              message: { text: 'needs no token' },
              locations: [
                {
                  physicalLocation: { artifactLocation: { uri: 'vault_policy.ops%20in%20stack%20us' } },
                  logicalLocations: [
                    { name: 'ops', fullyQualifiedName: 'vault_policy.ops in stack us: ops' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  test.each([
    ['./a b/ü.hcl', 'a%20b/%C3%BC.hcl'],
    ['../a:b#?%.hcl', '../a%3Ab%23%3F%25.hcl'],
    ['/tmp/a b.hcl', 'file:///tmp/a%20b.hcl'],
  ])('the file %s is the URI %s', (file, uri) => {
    expect(sarifLog(found({ ...IN_A_FILE, file }))).toMatchObject({
      runs: [{ results: [{ locations: [{ physicalLocation: { artifactLocation: { uri } } }] }] }],
    });
  });
});

describe('comments in Markdown', () => {
  test('errors and warnings come first, and the rest is folded', () => {
    expect(markdownOf(found(IN_A_STACK, IN_A_FILE))).toBe(`### Findings in ACL policies

- **error** in <code>app</code>: invalid capability &#34;raed&#34; (<code>policies/app&#46;hcl&#58;2</code>, <code>refused</code>)

3 policies&#58; 1 error

<details><summary>1 further finding</summary>

| | Policy | Finding | Place |
|---|---|---|---|
| note | <code>ops</code> | needs no token (<code>open-path</code>) | <code>vault&#95;policy&#46;ops in stack us</code> |

</details>
`);
  });

  test('the comment has no heading if there are no findings', () => {
    expect(markdownOf(found())).toBe('3 policies&#58; 1 error\n');
  });

  test('the comment has the picture of a plan, in a code block that the picture cannot end', () => {
    expect(markdownOf({ ...found(), picture: 'flowchart TB\n~~~~\n' })).toBe(`### Findings in ACL policies

3 policies&#58; 1 error

<details open><summary>What the plan does to replication sets</summary>

~~~~~mermaid
flowchart TB
~~~~
~~~~~

</details>
`);
  });

  test('texts have no meaning in Markdown or HTML, and mention no user', () => {
    const hostile = '</code></details>|`*_[a](http://x.y)<!--@user #1 !2\\~~~';
    const markdown = markdownOf(
      found(
        { ...IN_A_FILE, policy: hostile, place: hostile, rule: hostile, message: hostile },
        { ...IN_A_STACK, policy: hostile, place: hostile, rule: hostile, message: hostile },
      ),
    );
    const own = markdown.replace(/<\/?(?:code|details|summary)>|\*\*error\*\*|&#\d+;|^- |^### |\|/gm, '');
    expect(own).not.toMatch(/[^\p{L}\p{N}\s,()/:-]/u);
    expect(markdown.match(/\|/g)).toHaveLength(5 + 5 + 5);
    expect(markdown.match(/<\/details>/g)).toHaveLength(1);
    const inText = markdown.replace(/<code>.*?<\/code>/g, '');
    expect(inText.match(/&#64;(?!&#8203;)|&#35;(?!&#8203;)|&#33;(?!&#8203;)/g)).toBeNull();
  });

  test('a table with 900 findings is shorter than the limit of a comment on code hosts', () => {
    const many = Array.from({ length: 900 }, (_, index) => ({
      ...IN_A_STACK,
      message: `${index} ${'<'.repeat(500)}`,
    }));
    const markdown = markdownOf(found(...many));
    expect(markdown.length).toBeLessThan(65_536);
    expect(markdown).toMatch(/\| \| \| and \d+ more \| \|\n\n<\/details>\n$/);
    const errors = many.map((each): CommandFinding => ({
      ...each,
      ...{ severity: 'error', policy: '<'.repeat(600), place: '<'.repeat(600), message: '<'.repeat(600) },
    }));
    const picture = 'x\n'.repeat(14_000);
    expect(markdownOf({ ...found(...errors), picture }).length).toBeLessThan(65_536);
  });
});
