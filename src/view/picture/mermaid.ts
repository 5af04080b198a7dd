import { visible } from '../../text/visible';
import type { Arrow, Box, BoxGroup, Line, Picture } from './picture';

/** Only borders have colors, so that texts are legible on light and dark pages. */
const COLORS = { good: '#1a7f37', changed: '#0969da', doubtful: '#bf8700', bad: '#cf222e' } as const;
const TONES = Object.keys(COLORS) as readonly (keyof typeof COLORS)[];

/** The lines are already broken like those of the picture; this width prevents further breaks. */
const SETTINGS = '%%{init: {"flowchart": {"wrappingWidth": 400}}}%%';

/**
 * Returns a picture in the language of Mermaid, which code hosts draw in Markdown files and
 * reviews.
 */
export function mermaidOf({ groups }: Picture): string {
  const arrows = groups.flatMap((group) => group.arrows);
  const boxes = groups.flatMap((group) => group.boxes);
  const lines = [
    ...groups.flatMap((group, index) => subgraph(group, groupId(index))),
    ...arrows.map(
      ({ from, to, lines: about }) => `${from} -->${about.length === 0 ? '' : `|"${labels(about)}"|`} ${to}`,
    ),
    ...groups.flatMap(({ isNext }, index) => (isNext ? [`${groupId(index - 1)} ==> ${groupId(index)}`] : [])),
    ...TONES.flatMap((tone) => colored(arrows, tone)),
    ...TONES.flatMap((tone) => styled(boxes, `${tone} ${stroke(tone, 3)}`, (box) => box.tone === tone)),
    ...styled(boxes, 'reported stroke-dasharray:5 4', (box) => box.isReported === true),
  ];
  return [
    SETTINGS,
    `flowchart ${groups.some(({ isNext }) => isNext) ? 'TB' : 'LR'}`,
    ...lines.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function groupId(index: number): string {
  return `g${index + 1}`;
}

function subgraph({ title, boxes, isSequence }: BoxGroup, id: string): readonly string[] {
  return [
    `subgraph ${id}["${label(title)}"]`,
    `  direction ${isSequence ? 'TB' : 'LR'}`,
    ...boxes.map((box) => `  ${node(box)}`),
    'end',
  ];
}

function node({ id, title, lines }: Box): string {
  return `${id}["${[label(title), ...(lines.length === 0 ? [] : [labels(lines)])].join('<br/>')}"]`;
}

function labels(lines: readonly Line[]): string {
  return lines.map(({ text }) => label(text)).join('<br/>');
}

function stroke(tone: keyof typeof COLORS, width: number): string {
  return `stroke:${COLORS[tone]},stroke-width:${width}px`;
}

/** Returns the style of arrows. Mermaid identifies them by their numbers. */
function colored(arrows: readonly Arrow[], tone: keyof typeof COLORS): readonly string[] {
  const numbers = arrows.flatMap((arrow, index) => (arrow.tone === tone ? [index] : []));
  return numbers.length === 0 ? [] : [`linkStyle ${numbers.join(',')} ${stroke(tone, 2)}`];
}

/**
 * Defines a class for some of the boxes, if there are any.
 *
 * @param definition its name and style.
 */
function styled(
  boxes: readonly Box[],
  definition: string,
  isStyled: (box: Box) => boolean,
): readonly string[] {
  const [name] = definition.split(' ');
  const ids = boxes.filter(isStyled).map(({ id }) => id);
  return ids.length === 0 ? [] : [`classDef ${definition}`, `class ${ids.join(',')} ${name}`];
}

/**
 * Escapes all characters that Mermaid, Markdown or HTML could interpret. Mermaid refuses labels
 * that look like lists or links.
 */
function label(text: string): string {
  return visible(text).replace(
    /(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}])|(?<=\d)\.(?=\d)|([^\p{L}\p{N} ,/…])/gu,
    (character, unsafe?: string) => (unsafe === undefined ? character : `#${character.codePointAt(0)};`),
  );
}
