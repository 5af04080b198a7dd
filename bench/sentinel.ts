import ts from 'typescript';
import { check } from '../src/sentinel';
import { VAULT_ENVIRONMENT } from '../src/model/sentinel';
import { race, type Medians } from './measure';

const POLICIES = 1000;
const LINES = 100;

/**
 * Measures parsing and checking 1,000 policies of 100 lines, against TypeScript, which parses as
 * many lines of its own language.
 */
export async function raceSentinelCheck(rounds: number): Promise<Medians> {
  const policies = Array.from({ length: POLICIES }, (_, index) => policyOf(index));
  const programs = Array.from({ length: POLICIES }, (_, index) => programOf(index));
  return race(rounds, [
    {
      name: 'Sentinel',
      run: async () => {
        for (const policy of policies) {
          const findings = check(policy, 'policy', VAULT_ENVIRONMENT);
          const error = findings.find(({ severity }) => severity === 'error');
          if (error) throw new Error(error.problem);
        }
      },
    },
    {
      name: 'TypeScript, parse alone',
      run: async () => {
        for (const program of programs) ts.createSourceFile('program.ts', program, ts.ScriptTarget.ES2022);
      },
    },
  ]);
}

/** Returns lines like those of policies: rules over several lines, functions, loops. */
function policyOf(index: number): string {
  const rules = Array.from(
    { length: (LINES - 12) / 4 },
    (_, rule) =>
      `rule_${rule} = rule when request.operation in ["create", "update"] {\n` +
      `\trequest.path is not "secret/data/team-${index}-${rule}" or\n` +
      `\t\tstrings.has_prefix(token.display_name, "team-${rule}-")\n}`,
  );
  return [
    'import "strings"',
    'import "time"',
    '',
    'names = func(entries) {',
    '\tfound = []',
    '\tfor entries as _, entry {',
    '\t\tappend(found, strings.to_lower(entry.name))',
    '\t}',
    '\treturn found',
    '}',
    ...rules,
    'by_day = time.now.hour >= 7 and time.now.hour < 19',
    'main = rule { by_day and rule_0 and length(names(identity.entity.aliases)) > 0 }',
  ].join('\n');
}

function programOf(index: number): string {
  return Array.from(
    { length: LINES },
    (_, line) =>
      `const value${line} = request.path !== "secret/data/team-${index}" || token.name.startsWith("team-${line}");`,
  ).join('\n');
}
