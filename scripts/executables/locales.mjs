import { Buffer } from 'node:buffer';

/** The beginning of ICU's data: the length of the header, a magic number, and the format. */
const HEADER = { magic: Buffer.of(0xda, 0x27), magicAt: 2, format: 'CmnD', formatAt: 12 };
/** The size of an entry in the table of contents: the offsets of a name and of an item. */
const ENTRY = 8;
const ALIGNMENT = 16;

/**
 * Matches files of a language or region, and dictionaries that some languages need to find words.
 */
const OF_LOCALE = /(?:^|\/)[a-z]{2,3}(?:_[^/]*)?\.res$|\.dict$/;
const ENGLISH = /(?:^|\/)en(?:_US)?\.res$/;

/**
 * Returns a runtime whose data for `Intl` are those of English, as in the builds of Node.js with
 * `small-icu`. The provider and the command line do not need the data of other languages, which
 * become zeros.
 *
 * @throws Error if the runtime has no data for `Intl`, or has it in another form.
 */
export function withoutLocales(runtime) {
  const changed = Buffer.from(runtime);
  const start = placeOfData(runtime);
  const at = start + runtime.readUInt16LE(start);
  const items = itemsFrom(runtime, at);
  const kept = items.filter(({ name }) => ENGLISH.test(name) || !OF_LOCALE.test(name));

  // The length of the last item is unknown, so it is not changed.
  changed.fill(0, at, items.at(-1).from);
  const names = Buffer.from(kept.map(({ name }) => `${name}\0`).join(''));
  const table = 4 + kept.length * ENTRY;
  names.copy(changed, at + table);
  changed.writeUInt32LE(kept.length, at);
  let nameAt = table;
  let itemAt = aligned(table + names.length);
  for (const [index, { name, from, to }] of kept.entries()) {
    changed.writeUInt32LE(nameAt, at + 4 + index * ENTRY);
    changed.writeUInt32LE(itemAt, at + 8 + index * ENTRY);
    runtime.copy(changed, at + itemAt, from, to);
    nameAt += name.length + 1;
    itemAt = aligned(itemAt + to - from);
  }
  return changed;
}

function placeOfData(runtime) {
  for (let at = runtime.indexOf(HEADER.magic); at >= 0; at = runtime.indexOf(HEADER.magic, at + 1)) {
    const start = at - HEADER.magicAt;
    if (runtime.toString('latin1', start + HEADER.formatAt, start + HEADER.formatAt + 4) === HEADER.format)
      return start;
  }
  throw new Error('the runtime has no data for languages');
}

function itemsFrom(runtime, at) {
  const count = runtime.readUInt32LE(at);
  const items = Array.from({ length: count }, (_, index) => {
    const nameAt = at + runtime.readUInt32LE(at + 4 + index * ENTRY);
    const name = runtime.toString('latin1', nameAt, runtime.indexOf(0, nameAt));
    return { name, from: at + runtime.readUInt32LE(at + 8 + index * ENTRY) };
  });
  return items.map((item, index) => {
    const to = items[index + 1]?.from;
    if ((to === undefined && !OF_LOCALE.test(item.name)) || to < item.from)
      throw new Error(`the runtime has data for languages in another order: ${item.name}`);
    return { ...item, to };
  });
}

function aligned(length) {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
