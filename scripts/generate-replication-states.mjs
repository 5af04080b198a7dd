/**
 * Writes docs/reference/replication-states.md: the modes of a cluster, from the model's own table.
 * Another file may be named as the argument.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targetArgument } from './npm-run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { REPLICATION_CALLS, REPLICATION_TRANSITIONS } = createRequire(import.meta.url)(
  join(root, 'lib', 'src', 'model'),
);
const target = targetArgument(join(root, 'docs', 'reference', 'replication-states.md'));

const pathOf = (trigger) => REPLICATION_CALLS[trigger].path;
const CLUSTER_ID = {
  new: 'a new one',
  kept: 'kept',
  dropped: 'none; another one when it is enabled again',
  of_primary: "the primary's",
};

writeFileSync(
  target,
  `${[
    '# Performance replication: states and transitions',
    'This page is generated from `src/model/replication/`: the table that the provider, the emulator and this diagram share.',
    '## The mode of a cluster',
    diagram(REPLICATION_TRANSITIONS.map(({ from, to, trigger }) => [from, to, trigger])),
    table(
      [
        'From',
        'Call',
        'Condition',
        'To',
        'Data',
        'Id of the replication set',
        'Token',
        'Unavailable for a while',
      ],
      REPLICATION_TRANSITIONS.map((transition) => [
        transition.from + (transition.fromAssumed ? ' (assumed)' : ''),
        code(`POST ${pathOf(transition.trigger)}`),
        transition.condition ?? '',
        transition.to,
        transition.wipesData ? '**cleared**' : 'kept',
        CLUSTER_ID[transition.clusterId],
        { true: 'needed', false: '', optional: 'one way of several' }[transition.needsToken],
        transition.interruptsService ? 'yes' : '',
      ]),
    ),
    ...REPLICATION_TRANSITIONS.flatMap(({ trigger, effects, warning }) => [
      `### ${code(`POST ${pathOf(trigger)}`)}`,
      effects.map((effect) => `- ${effect}`).join('\n'),
      ...(warning ? [`The server's warning:\n\n> ${warning}`] : []),
    ]),
  ].join('\n\n')}\n`,
);

function diagram(edges) {
  const lines = edges.map(([from, to, trigger]) => `    ${from} --> ${to} : ${pathOf(trigger)}`);
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n');
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function code(text) {
  return `\`${text}\``;
}
