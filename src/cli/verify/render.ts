import { ASSUMPTIONS, type AssumptionName, firstOf, type ReportedFinding } from '../../emulator/assume';
import { groupsBy } from '../../model/groups';
import { styleFor, type Style } from '../output/style';
import type { PrintedReport } from './printed-report';

type Found = readonly [name: AssumptionName, finding: ReportedFinding];

/** Returns the report for people. Findings that need attention come last. */
export function renderReport(report: PrintedReport, env: NodeJS.ProcessEnv): readonly string[] {
  const style = styleFor(process.stdout, env);
  const found = Object.entries(report.assumptions) as readonly Found[];
  const those = (outcome: ReportedFinding['outcome']) =>
    found.filter(([, finding]) => finding.outcome === outcome);
  const { as_assumed, otherwise, not_seen } = report.counts;
  return [
    `server ${report.server.version}`,
    ...notSeen(those('not_seen'), style),
    ...those('as_assumed').map(
      ([name, { alternative }]) => `${style.good('as assumed')}  ${name}=${alternative}`,
    ),
    ...those('otherwise').flatMap((each) => otherwiseLines(each, style)),
    `${as_assumed} as assumed, ${otherwise} different, ${not_seen} not seen`,
  ];
}

/** Returns two lines for each reason: the reason, and the assumptions. */
function notSeen(found: readonly Found[], style: Style): readonly string[] {
  return groupsBy(found, ([, { seen = '' }]) => seen).flatMap((group) => [
    `${style.faint('not seen')}    ${group[0][1].seen ?? ''}:`,
    `            ${group.map(([name]) => name).join(', ')}`,
  ]);
}

function otherwiseLines([name, { alternative, seen = '' }]: Found, style: Style): readonly string[] {
  const { open, alternatives } = ASSUMPTIONS[name];
  const assumed = firstOf(name);
  const says = (alternatives as Readonly<Record<string, { says: string }>>)[assumed]?.says ?? '';
  return [
    `${style.bad('different')}   ${style.strong(name)}: ${open}`,
    `            seen     ${alternative === undefined ? '' : `${alternative}: `}${seen}`,
    `            assumed  ${assumed}: ${says}`,
  ];
}
