import { visible } from '../../text/visible';
import {
  layOut,
  LINE_HEIGHT,
  PADDING,
  TITLE_HEIGHT,
  type PlacedArrow,
  type PlacedBox,
  type Arrangement,
} from './layout';
import type { Line, Picture, Tone } from './picture';

interface Palette extends Readonly<Record<Tone, string>> {
  readonly page: string;
  readonly box: string;
  readonly border: string;
}

const LIGHT: Palette = {
  page: '#ffffff',
  box: '#f6f8fa',
  border: '#d1d9e0',
  plain: '#1f2328',
  faint: '#59636e',
  good: '#1a7f37',
  changed: '#0969da',
  doubtful: '#9a6700',
  bad: '#cf222e',
};

const DARK: Palette = {
  page: '#0d1117',
  box: '#151b23',
  border: '#3d444d',
  plain: '#f0f6fc',
  faint: '#9198a1',
  good: '#3fb950',
  changed: '#4493f8',
  doubtful: '#d29922',
  bad: '#f85149',
};

/**
 * The style sheet of pictures. It has no CSS variables, because some programs that show SVG do not
 * support them.
 */
export const PICTURE_STYLE = `${rules(LIGHT)}
@media (prefers-color-scheme: dark) {
${rules(DARK)}
}`;

function rules(palette: Palette): string {
  const { page, box, border, plain, faint, good, changed, doubtful, bad } = palette;
  return [
    `.p-page { fill: ${page} }`,
    `.p-box { fill: ${box}; stroke: ${border} }`,
    ...Object.entries({ plain, faint, good, changed, doubtful, bad }).map(
      ([tone, color]) => `.p-${tone} { fill: ${color} }`,
    ),
    `.p-line { fill: none; stroke: ${faint} }`,
    ...Object.entries({ good, changed, doubtful, bad }).map(
      ([tone, color]) => `.p-line.p-${tone} { stroke: ${color} }`,
    ),
  ].join('\n');
}

const FONT =
  'font-family="system-ui, -apple-system, \'Segoe UI\', Roboto, \'Noto Sans\', sans-serif" font-size="13"';

/** The marks in front of problems, as in the text of `status`. */
const MARKS: Partial<Record<Tone, string>> = { bad: '!', doubtful: '?' };

/** Returns a picture as a complete SVG. */
export function svgOf(picture: Picture): string {
  return svg(picture, 'wide', `<style>\n${PICTURE_STYLE}\n</style>\n`);
}

/** Returns a picture as SVG for a page that has the style sheet. */
export function svgOfShape(picture: Picture, shape: Arrangement): string {
  return svg(picture, shape, '');
}

function svg(picture: Picture, shape: Arrangement, style: string): string {
  const { width, height, titles, boxes, arrows } = layOut(picture, shape);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" ${FONT}>\n`,
    `<title>${escaped(picture.title)}</title>\n`,
    style,
    `<rect class="p-page" width="${width}" height="${height}" rx="8"/>\n`,
    ...titles.map(({ text, x, y }) => textAt(x, y, { text, tone: 'faint' })),
    ...arrows.map(arrowText),
    ...boxes.map(boxText),
    '</svg>\n',
  ].join('');
}

function boxText({ box, x, y, width, height }: PlacedBox): string {
  const { title, tone, lines, isReported } = box;
  const mark = MARKS[tone];
  const first = y + PADDING + 10;
  return [
    `<rect class="p-box" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"${isReported ? ' stroke-dasharray="5 4"' : ''}/>\n`,
    tone === 'plain'
      ? ''
      : `<rect class="p-${tone}" x="${x}" y="${y}" width="4" height="${height}" rx="2"/>\n`,
    `<text class="p-plain" x="${x + PADDING}" y="${first}" font-size="15" font-weight="600">${escaped(title)}</text>\n`,
    mark === undefined
      ? ''
      : `<text class="p-${tone}" x="${x + width - PADDING}" y="${first}" font-size="15" font-weight="700" text-anchor="end">${mark}</text>\n`,
    ...lines.map((line, index) => textAt(x + PADDING, first + TITLE_HEIGHT - 2 + index * LINE_HEIGHT, line)),
  ].join('');
}

function arrowText({ arrow: { tone, lines }, points, texts }: PlacedArrow): string {
  const [[x, y], [before]] = [points.at(-1)!, points.at(-2)!];
  const path = points.map((point, index) => `${index === 0 ? 'M' : 'L'}${point.join(' ')}`).join('');
  const head = x === before ? `M${x} ${y}l-5 -9h10z` : `M${x} ${y}l-9 -5v10z`;
  return [
    `<path class="p-line p-${tone}" d="${path}" stroke-width="1.5"/>\n`,
    `<path class="p-${tone}" d="${head}"/>\n`,
    ...lines.map((line, index) => textAt(...texts[index]!, line)),
  ].join('');
}

function textAt(x: number, y: number, { text, tone }: Line): string {
  return `<text class="p-${tone}" x="${x}" y="${y}">${escaped(text)}</text>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
