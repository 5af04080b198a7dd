/** An element of an XML text, with the text that is directly in it. */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

const PART = /<\?xml [^<>]*\?>|<(\/?)([a-z][a-z-]*)((?: [a-z]+="[^"<]*")*)>|([^<>]+)/y;
const ATTRIBUTE = / ([a-z]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/**
 * Reads the elements of an XML text, in their order.
 *
 * @throws Error for a text that is not well-formed, or that contains what reports do not need
 */
export function elementsOf(xml: string): readonly Element[] {
  const found: Element[] = [];
  const open: Element[] = [];
  for (PART.lastIndex = 0; PART.lastIndex < xml.length;) {
    const at = PART.lastIndex;
    const match = PART.exec(xml);
    if (!match) throw new Error(`not well-formed: ${xml.slice(at, at + 100)}`);
    const [, slash, name, attributes = '', text] = match;
    if (text !== undefined) {
      const last = open.at(-1);
      if (last) last.text += decoded(text);
      else if (text.trim() !== '') throw new Error(`outside of elements: ${text}`);
    } else if (slash === '/') {
      if (open.pop()?.name !== name) throw new Error(`${name} ends, and did not begin`);
    } else if (name !== undefined) {
      const pairs = Array.from(attributes.matchAll(ATTRIBUTE), ([, key, value]) => [key!, decoded(value!)]);
      const element = { name, attributes: Object.fromEntries(pairs) as Record<string, string>, text: '' };
      found.push(element);
      open.push(element);
    }
  }
  if (open.length > 0) throw new Error(`${open.at(-1)!.name} does not end`);
  return found;
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|([a-z]+));|&/g, (entity, code?: string, name?: string) => {
    const character = code ? String.fromCodePoint(Number(code)) : ENTITIES[name ?? ''];
    if (character === undefined) throw new Error(`not an entity: ${entity}`);
    return character;
  });
}
