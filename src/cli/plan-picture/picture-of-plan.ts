import { mayCostData } from '../../provider/replication/set/planner/messages';
import { filterLines } from '../../view/picture/clusters';
import { wrapped } from '../../view/picture/lines';
import type { Arrow, Box, BoxGroup, Line, Picture } from '../../view/picture/picture';
import type { PlannedSet, SetView } from './sets-in-plan';

/**
 * Draws a plan's changes of replication sets: each set before the apply, the steps, and the set
 * after it.
 */
export function pictureOfPlan(sets: readonly PlannedSet[]): Picture {
  return {
    title: `Planned changes of ${sets.map(({ address }) => address).join(', ')}`,
    groups: sets.flatMap((set, index) => groupsOf(set, `p${index + 1}`)),
  };
}

const NOT_IN_SET = 'not in the set';

function groupsOf(
  { address, before, steps, after, isForgotten }: PlannedSet,
  id: string,
): readonly BoxGroup[] {
  const end = isForgotten ? 'as before, but no longer managed by Terraform' : 'no replication set';
  return [
    before
      ? setGroup(`${address}: before`, `${id}b`, before)
      : textGroup(`${address}: before`, `${id}b`, 'not managed by Terraform yet'),
    {
      ...(steps
        ? stepsGroup(steps, `${id}s`)
        : textGroup('Steps', `${id}s`, reasonFor({ after, isForgotten }))),
      isNext: true,
    },
    {
      ...(after ? setGroup('After', `${id}a`, after, before) : textGroup('After', `${id}a`, end)),
      isNext: true,
    },
  ];
}

/** Returns why a plan has no steps to show. */
function reasonFor({ after, isForgotten }: Pick<PlannedSet, 'after' | 'isForgotten'>): string {
  if (after) return 'known only when the plan is applied';
  return isForgotten
    ? 'none: the clusters stay as they are'
    : 'listed in a warning of terraform plan: the set ends';
}

function stepsGroup(steps: readonly string[], id: string): BoxGroup {
  if (steps.length === 0) return textGroup('Steps', id, 'none: only settings change');
  const boxes = steps.map((step, index): Box => {
    const cluster = step.split(': ', 1)[0]!;
    return {
      id: `${id}${index + 1}`,
      title: `${index + 1}. ${cluster}`,
      lines: wrapped(step.slice(cluster.length + 2), { mostLines: Infinity }),
      tone: mayCostData(step) ? 'bad' : 'plain',
    };
  });
  const arrows = boxes.slice(1).map((box, index): Arrow => ({
    from: boxes[index]!.id,
    to: box.id,
    lines: [],
    tone: 'plain',
  }));
  return { title: 'Steps', boxes, arrows, isSequence: true };
}

function textGroup(title: string, id: string, text: string): BoxGroup {
  return { title, boxes: [{ id: `${id}1`, title: text, lines: [], tone: 'plain' }], arrows: [] };
}

/** @param earlier the set before the apply, to show what changes. */
function setGroup(title: string, id: string, set: SetView, earlier?: SetView): BoxGroup {
  const secondaries = Object.keys(set.secondaries).sort();
  const members = [set.primary, ...secondaries];
  const left = earlier ? namesIn(earlier).filter((name) => !members.includes(name)) : [];
  const boxId = (name: string) => `${id}${[...members, ...left].indexOf(name) + 1}`;
  return {
    title,
    boxes: [...members, ...left].map((name): Box => {
      const [role, before] = [roleIn(set, name), earlier && roleIn(earlier, name)];
      return {
        id: boxId(name),
        title: name,
        lines: [...wrapped(role), ...wasLine(role, before), ...reportLines(set, name, role)],
        tone: before === undefined || before === role ? 'plain' : 'changed',
        isReported: role === NOT_IN_SET,
      };
    }),
    arrows: secondaries.map((name): Arrow => {
      const [now, before] = [received(set, name), earlier?.secondaries[name] && received(earlier, name)];
      const isChanged = before !== undefined && textIn(before) !== textIn(now);
      return {
        from: boxId(set.primary),
        to: boxId(name),
        lines: [...now, ...(isChanged ? wrapped(`was ${textIn(before)}`, { tone: 'faint' }) : [])],
        tone: isChanged ? 'changed' : 'plain',
      };
    }),
  };
}

function namesIn({ primary, secondaries }: SetView): readonly string[] {
  return [primary, ...Object.keys(secondaries)];
}

function roleIn({ primary, secondaries }: SetView, name: string): string {
  if (name === primary) return 'primary';
  const secondary = Object.hasOwn(secondaries, name) ? secondaries[name] : undefined;
  if (!secondary) return NOT_IN_SET;
  return secondary.id === '' || secondary.id === name
    ? 'secondary'
    : `secondary ${JSON.stringify(secondary.id)}`;
}

function wasLine(role: string, before: string | undefined): readonly Line[] {
  return before === undefined || before === role ? [] : wrapped(`was ${before}`, { tone: 'faint' });
}

/**
 * Returns a line with the mode that a cluster reported at the last refresh, if the role differs
 * from it.
 */
function reportLines({ members }: SetView, name: string, role: string): readonly Line[] {
  const reported = Object.hasOwn(members, name) ? members[name]! : '';
  return reported === '' || role.startsWith(reported)
    ? []
    : wrapped(`reports: ${reported}`, { tone: 'doubtful' });
}

function received({ secondaries }: SetView, name: string): readonly Line[] {
  const { filter } = secondaries[name]!;
  return filter === undefined ? wrapped('known after the apply', { tone: 'faint' }) : filterLines(filter);
}

function textIn(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join(', ');
}
