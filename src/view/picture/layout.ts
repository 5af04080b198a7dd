import { visible } from '../../text/visible';
import type { Arrow, Box, BoxGroup, Picture } from './picture';

/** The placement of boxes: in columns, or one below the other for narrow screens. */
export type Arrangement = 'wide' | 'narrow';

export interface PlacedBox {
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Point = readonly [x: number, y: number];

export interface PlacedArrow {
  readonly arrow: Arrow;
  /** The corners of the line, ending at the head. */
  readonly points: readonly Point[];
  /** The positions at which the lines of text begin, on the baseline. */
  readonly texts: readonly Point[];
}

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly titles: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly PlacedArrow[];
}

/** The sizes of texts and boxes in pixels. */
export const LINE_HEIGHT = 18;
export const TITLE_HEIGHT = 22;
export const PADDING = 14;
const MARGIN = 16;
const HEADING_HEIGHT = 32;
const GAP = 24;
/** The distance from a box to the corner of its arrows. */
const TURN = 28;
const INDENT = 28;
/** The space for the head of an arrow, and around its text. */
const CLEARANCE = 14;

/** The average width of a character in pixels, rounded up because fonts differ. */
const CHARACTER = 7.1;
const TITLE_CHARACTER = 8.6;
/** The characters of East Asian scripts and emoji, which are twice as wide. */
const DOUBLE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}]/u;

function widthOf(text: string, character: number): number {
  return [...visible(text)].reduce((sum, each) => sum + (DOUBLE.test(each) ? 2 : 1), 0) * character;
}

/** Places the boxes and arrows of a picture. */
export function layOut({ groups }: Picture, shape: Arrangement): Layout {
  let y = MARGIN;
  const parts = groups.map((group) => {
    const title = { text: group.title, x: MARGIN, y: y + 15 };
    const placed =
      group.isSequence || shape === 'narrow'
        ? stacked(group, y + HEADING_HEIGHT)
        : inColumns(group, y + HEADING_HEIGHT);
    y = placed.bottom + GAP;
    return { title, ...placed };
  });
  const right = parts.flatMap(({ title, boxes, arrows }) => [
    title.x + widthOf(title.text, CHARACTER),
    ...boxes.map(({ x, width }) => x + width),
    ...arrows.map(({ arrow, points, texts }) => (texts[0] ?? points[0]!)[0] + labelWidth(arrow)),
  ]);
  return {
    width: Math.ceil(Math.max(...right, 0) + MARGIN),
    height: Math.ceil(y - GAP + MARGIN),
    titles: parts.map(({ title }) => title),
    boxes: parts.flatMap(({ boxes }) => boxes),
    arrows: parts.flatMap(({ arrows }) => arrows),
  };
}

interface PlacedGroup {
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly PlacedArrow[];
  readonly bottom: number;
}

function sizeOf({ title, lines }: Box): { readonly width: number; readonly height: number } {
  const widths = lines.map(({ text }) => widthOf(text, CHARACTER));
  // The picture may show a mark after the title.
  const width = Math.max(150, widthOf(`${title}  !`, TITLE_CHARACTER), ...widths) + 2 * PADDING;
  return { width: Math.ceil(width), height: TITLE_HEIGHT + lines.length * LINE_HEIGHT + 2 * PADDING - 6 };
}

function labelWidth({ lines }: Arrow): number {
  return Math.ceil(Math.max(0, ...lines.map(({ text }) => widthOf(text, CHARACTER))));
}

/**
 * Places each box in the column after those whose arrows lead to it, and centers each column
 * vertically.
 */
function inColumns({ boxes, arrows }: BoxGroup, top: number): PlacedGroup {
  const targets = new Set(arrows.map(({ to }) => to));
  const columns = [boxes.filter(({ id }) => !targets.has(id)), boxes.filter(({ id }) => targets.has(id))]
    .filter((column) => column.length > 0)
    .map((column) => column.map((box) => ({ box, ...sizeOf(box), room: roomFor(box, arrows) })));
  const heights = columns.map(
    (column) => column.reduce((sum, { room }) => sum + room, 0) + (column.length - 1) * GAP,
  );
  const height = Math.max(0, ...heights);
  const between = TURN + CLEARANCE + Math.max(30, ...arrows.map(labelWidth)) + CLEARANCE + 6;

  let x = MARGIN;
  const placed = columns.flatMap((column, index) => {
    let y = top + (height - heights[index]!) / 2;
    const width = Math.max(...column.map((each) => each.width));
    const column_ = column.map(({ box, height: own, room }): PlacedBox => {
      const at = { box, x, y: y + (room - own) / 2, width, height: own };
      y += room + GAP;
      return at;
    });
    x += width + between;
    return column_;
  });
  return {
    boxes: placed,
    arrows: arrows.map((arrow) => across(arrow, arrows, placed)),
    bottom: top + height,
  };
}

/** Returns the space for an arrow's text, which is centered on the middle of the box. */
function roomFor(box: Box, arrows: readonly Arrow[]): number {
  const lines = arrows
    .filter(({ to }) => to === box.id)
    .reduce((sum, arrow) => sum + arrow.lines.length + 1, 0);
  return Math.max(sizeOf(box).height, lines * LINE_HEIGHT);
}

function across(arrow: Arrow, arrows: readonly Arrow[], boxes: readonly PlacedBox[]): PlacedArrow {
  const [from, to] = endsOf(arrow, boxes);
  const siblings = arrows.filter((each) => each.to === arrow.to);
  const start: Point = [from.x + from.width, from.y + from.height / 2];
  const y = to.y + (to.height * (siblings.indexOf(arrow) + 1)) / (siblings.length + 1);
  const turn = start[0] + TURN;
  const above = Math.ceil(arrow.lines.length / 2);
  return {
    arrow,
    points: start[1] === y ? [start, [to.x, y]] : [start, [turn, start[1]], [turn, y], [to.x, y]],
    texts: arrow.lines.map((_, index): Point => [
      turn + CLEARANCE,
      y + (index - above) * LINE_HEIGHT + (index < above ? LINE_HEIGHT - 7 : LINE_HEIGHT - 1),
    ]),
  };
}

/** Places boxes that arrows lead to below the boxes that the arrows come from, and indents them. */
function stacked({ boxes, arrows, isSequence = false }: BoxGroup, top: number): PlacedGroup {
  const isTarget = (box: Box) => !isSequence && arrows.some(({ to }) => to === box.id);
  const order = isSequence
    ? boxes
    : boxes.filter((box) => !isTarget(box)).flatMap((box) => [box, ...followers(box, boxes, arrows)]);
  const unique = [...new Set(order)];
  let bottom = top - GAP;
  const placed = unique.map((box): PlacedBox => {
    const text = isSequence
      ? 0
      : arrows.filter(({ to }) => to === box.id).reduce((sum, { lines }) => sum + lines.length, 0);
    const y = bottom + GAP + text * LINE_HEIGHT;
    const { width, height } = sizeOf(box);
    bottom = y + height;
    return { box, x: MARGIN + (isTarget(box) ? INDENT : 0), y, width, height };
  });
  const width = Math.max(0, ...placed.map((each) => each.x + each.width));
  const even = placed.map((each) => ({ ...each, width: width - each.x }));
  return {
    boxes: even,
    arrows: arrows.map((arrow) => (isSequence ? down(arrow, even) : along(arrow, arrows, even))),
    bottom,
  };
}

function followers(box: Box, boxes: readonly Box[], arrows: readonly Arrow[]): readonly Box[] {
  return boxes.filter(({ id }) => arrows.some((arrow) => arrow.from === box.id && arrow.to === id));
}

function down(arrow: Arrow, boxes: readonly PlacedBox[]): PlacedArrow {
  const [from, to] = endsOf(arrow, boxes);
  const x = from.x + INDENT;
  const start: Point = [x, from.y + from.height];
  return {
    arrow,
    points: [start, [x, to.y]],
    texts: arrow.lines.map((_, index): Point => [x + CLEARANCE, start[1] + (index + 1) * LINE_HEIGHT]),
  };
}

function along(arrow: Arrow, arrows: readonly Arrow[], boxes: readonly PlacedBox[]): PlacedArrow {
  const [from, to] = endsOf(arrow, boxes);
  const x = from.x + INDENT / 2;
  const y = to.y + to.height / 2;
  const siblings = arrows.filter((each) => each.to === arrow.to);
  const later = siblings.slice(siblings.indexOf(arrow)).reduce((sum, { lines }) => sum + lines.length, 0);
  return {
    arrow,
    points: [
      [x, from.y + from.height],
      [x, y],
      [to.x, y],
    ],
    texts: arrow.lines.map((_, index): Point => [to.x, to.y - 7 - (later - 1 - index) * LINE_HEIGHT]),
  };
}

function endsOf({ from, to }: Arrow, boxes: readonly PlacedBox[]): readonly [PlacedBox, PlacedBox] {
  const find = (id: string) => boxes.find(({ box }) => box.id === id)!;
  return [find(from), find(to)];
}
