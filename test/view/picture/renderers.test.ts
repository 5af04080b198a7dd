import { visible } from '../../../src/text/visible';
import { mermaidOf } from '../../../src/view/picture/mermaid';
import type { Picture } from '../../../src/view/picture/picture';
import { svgOf, svgOfShape } from '../../../src/view/picture/svg';

const PAIR: Picture = {
  title: 'Replication of eu, us',
  groups: [
    {
      title: 'Replication set set-1',
      boxes: [
        { id: 'c1', title: 'us', tone: 'good', lines: [{ text: 'primary', tone: 'plain' }] },
        { id: 'c2', title: 'eu', tone: 'bad', lines: [{ text: 'is sealed', tone: 'bad' }] },
        { id: 'c3', title: 'ap', tone: 'plain', isReported: true, lines: [] },
      ],
      arrows: [
        {
          from: 'c1',
          to: 'c2',
          tone: 'bad',
          lines: [
            { text: 'deny us-only/', tone: 'plain' },
            { text: 'disconnected', tone: 'bad' },
          ],
        },
        { from: 'c1', to: 'c3', tone: 'good', lines: [] },
      ],
    },
  ],
};

const STEPS: Picture = {
  title: 'Plan',
  groups: [
    { title: 'Before', boxes: [{ id: 'a', title: 'us', tone: 'plain', lines: [] }], arrows: [] },
    {
      title: 'Steps',
      isSequence: true,
      isNext: true,
      boxes: ['b1', 'b2'].map((id) => ({ id, title: id, tone: 'plain' as const, lines: [] })),
      arrows: [{ from: 'b1', to: 'b2', tone: 'plain', lines: [] }],
    },
  ],
};

test('a picture is written in the language of Mermaid', () => {
  expect(mermaidOf(PAIR)).toBe(`%%{init: {"flowchart": {"wrappingWidth": 400}}}%%
flowchart LR
  subgraph g1["Replication set set-1"]
    direction LR
    c1["us<br/>primary"]
    c2["eu<br/>is sealed"]
    c3["ap"]
  end
  c1 -->|"deny us-only/<br/>disconnected"| c2
  c1 --> c3
  linkStyle 1 stroke:#1a7f37,stroke-width:2px
  linkStyle 0 stroke:#cf222e,stroke-width:2px
  classDef good stroke:#1a7f37,stroke-width:3px
  class c1 good
  classDef bad stroke:#cf222e,stroke-width:3px
  class c2 bad
  classDef reported stroke-dasharray:5 4
  class c3 reported
`);
});

test('a picture with groups in sequence is written in Mermaid', () => {
  expect(mermaidOf(STEPS)).toBe(`%%{init: {"flowchart": {"wrappingWidth": 400}}}%%
flowchart TB
  subgraph g1["Before"]
    direction LR
    a["us"]
  end
  subgraph g2["Steps"]
    direction TB
    b1["b1"]
    b2["b2"]
  end
  b1 --> b2
  g1 ==> g2
`);
});

test('a picture is written as SVG', () => {
  const text = svgOfShape(PAIR, 'wide');
  expect(text).toMatchInlineSnapshot(`
    "<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 543 194" width="543" height="194" role="img" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif" font-size="13">
    <title>Replication of eu, us</title>
    <rect class="p-page" width="543" height="194" rx="8"/>
    <text class="p-faint" x="16" y="31">Replication set set-1</text>
    <path class="p-line p-bad" d="M194 113L222 113L222 79L349 79" stroke-width="1.5"/>
    <path class="p-bad" d="M349 79l-9 -5v10z"/>
    <text class="p-plain" x="236" y="72">deny us-only/</text>
    <text class="p-bad" x="236" y="96">disconnected</text>
    <path class="p-line p-good" d="M194 113L222 113L222 156L349 156" stroke-width="1.5"/>
    <path class="p-good" d="M349 156l-9 -5v10z"/>
    <rect class="p-box" x="16" y="82" width="178" height="62" rx="6"/>
    <rect class="p-good" x="16" y="82" width="4" height="62" rx="2"/>
    <text class="p-plain" x="30" y="106" font-size="15" font-weight="600">us</text>
    <text class="p-plain" x="30" y="126">primary</text>
    <rect class="p-box" x="349" y="48" width="178" height="62" rx="6"/>
    <rect class="p-bad" x="349" y="48" width="4" height="62" rx="2"/>
    <text class="p-plain" x="363" y="72" font-size="15" font-weight="600">eu</text>
    <text class="p-bad" x="513" y="72" font-size="15" font-weight="700" text-anchor="end">!</text>
    <text class="p-bad" x="363" y="92">is sealed</text>
    <rect class="p-box" x="349" y="134" width="178" height="44" rx="6" stroke-dasharray="5 4"/>
    <text class="p-plain" x="363" y="158" font-size="15" font-weight="600">ap</text>
    </svg>
    "
  `);
});

test('a picture is written as SVG for narrow screens', () => {
  expect(svgOfShape(PAIR, 'narrow')).toMatchInlineSnapshot(`
    "<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 238 316" width="238" height="316" role="img" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif" font-size="13">
    <title>Replication of eu, us</title>
    <rect class="p-page" width="238" height="316" rx="8"/>
    <text class="p-faint" x="16" y="31">Replication set set-1</text>
    <path class="p-line p-bad" d="M30 110L30 201L44 201" stroke-width="1.5"/>
    <path class="p-bad" d="M44 201l-9 -5v10z"/>
    <text class="p-plain" x="44" y="145">deny us-only/</text>
    <text class="p-bad" x="44" y="163">disconnected</text>
    <path class="p-line p-good" d="M30 110L30 278L44 278" stroke-width="1.5"/>
    <path class="p-good" d="M44 278l-9 -5v10z"/>
    <rect class="p-box" x="16" y="48" width="206" height="62" rx="6"/>
    <rect class="p-good" x="16" y="48" width="4" height="62" rx="2"/>
    <text class="p-plain" x="30" y="72" font-size="15" font-weight="600">us</text>
    <text class="p-plain" x="30" y="92">primary</text>
    <rect class="p-box" x="44" y="170" width="178" height="62" rx="6"/>
    <rect class="p-bad" x="44" y="170" width="4" height="62" rx="2"/>
    <text class="p-plain" x="58" y="194" font-size="15" font-weight="600">eu</text>
    <text class="p-bad" x="208" y="194" font-size="15" font-weight="700" text-anchor="end">!</text>
    <text class="p-bad" x="58" y="214">is sealed</text>
    <rect class="p-box" x="44" y="256" width="178" height="44" rx="6" stroke-dasharray="5 4"/>
    <text class="p-plain" x="58" y="280" font-size="15" font-weight="600">ap</text>
    </svg>
    "
  `);
});

test('a picture with steps in sequence is written as SVG', () => {
  expect(svgOfShape(STEPS, 'wide')).toMatchInlineSnapshot(`
    "<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 210 276" width="210" height="276" role="img" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif" font-size="13">
    <title>Plan</title>
    <rect class="p-page" width="210" height="276" rx="8"/>
    <text class="p-faint" x="16" y="31">Before</text>
    <text class="p-faint" x="16" y="131">Steps</text>
    <path class="p-line p-plain" d="M44 192L44 216" stroke-width="1.5"/>
    <path class="p-plain" d="M44 216l-5 -9h10z"/>
    <rect class="p-box" x="16" y="48" width="178" height="44" rx="6"/>
    <text class="p-plain" x="30" y="72" font-size="15" font-weight="600">us</text>
    <rect class="p-box" x="16" y="148" width="178" height="44" rx="6"/>
    <text class="p-plain" x="30" y="172" font-size="15" font-weight="600">b1</text>
    <rect class="p-box" x="16" y="216" width="178" height="44" rx="6"/>
    <text class="p-plain" x="30" y="240" font-size="15" font-weight="600">b2</text>
    </svg>
    "
  `);
});

test('a complete SVG has colors for light and dark, and loads no file', () => {
  const text = svgOf(PAIR);
  expect(text.replace(/<style>[^<]*<\/style>\n/, '')).toBe(svgOfShape(PAIR, 'wide'));
  expect(text).toMatch(
    /\.p-page \{ fill: #ffffff \}[^]*@media \(prefers-color-scheme: dark\) \{\n\.p-page \{ fill: #0d1117 \}/,
  );
  expect(text.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/url\(|href|http|@import/);
  const used = [...text.matchAll(/class="([^"]+)"/g)].flatMap(([, names]) => names!.split(' '));
  for (const name of new Set(used)) expect(text).toContain(`.${name} {`);
});

test.each([
  `<script>alert(1)</script>`,
  `"/><image href='http://evil.example/'/>`,
  `]]></style><style>*{}`,
  '1. first',
  '- item',
  'https://evil.example www.evil.example',
  '`code` **bold** _x_ ~~y~~ [a](b) ![c](d)',
  '"] --> evil["',
  '#quot;#35; &lt; &amp;',
  '%%{init: {"theme":"dark"}}%%',
  'line\nbreak\r\u2028\u202egnp.exe\u0000\u001b[31m',
])('%j is only text in a picture', (text) => {
  const lines = [{ text, tone: 'plain' as const }];
  const hostile: Picture = {
    title: text,
    groups: [
      {
        title: text,
        boxes: ['a', 'b'].map((id) => ({ id, title: text, tone: 'plain' as const, lines })),
        arrows: [{ from: 'a', to: 'b', tone: 'good', lines }],
      },
    ],
  };
  const mermaid = mermaidOf(hostile);
  // Without its texts, the picture has only its own structure.
  expect(
    mermaid
      .slice(mermaid.indexOf('\n') + 1)
      .replace(/"[\p{L}\p{N} ,/…#;.-]*(<br\/>[\p{L}\p{N} ,/…#;.-]*)?"/gu, '""'),
  ).toBe(`flowchart LR
  subgraph g1[""]
    direction LR
    a[""]
    b[""]
  end
  a -->|""| b
  linkStyle 0 stroke:#1a7f37,stroke-width:2px
`);
  const decoded = mermaid.replace(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
  expect(decoded).toContain(`subgraph g1["${visible(text)}"]`);

  const svg = svgOf(hostile);
  const elements = [...svg.matchAll(/<\/?([^\s>/]+)/g)].map(([, name]) => name);
  expect([...new Set(elements)].sort()).toEqual(['path', 'rect', 'style', 'svg', 'text', 'title']);
  expect(svg.match(/<style>/g)).toHaveLength(1);
  for (const [, inside] of svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g))
    expect(inside).not.toMatch(/["'>]|&(?!(amp|lt|gt|quot|#39);)/);
  expect(svg).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
});

test('boxes are as wide as their texts, and do not overlap', () => {
  for (const shape of ['wide', 'narrow'] as const) {
    const svg = svgOfShape(PAIR, shape);
    const boxes = [
      ...svg.matchAll(/<rect class="p-box" x="(\d+)" y="([\d.]+)" width="(\d+)" height="(\d+)"/g),
    ].map(([, ...numbers]) => numbers.map(Number) as [number, number, number, number]);
    expect(boxes).toHaveLength(3);
    for (const [i, [x, y, w, h]] of boxes.entries()) {
      for (const [x2, y2, w2, h2] of boxes.slice(i + 1)) {
        expect(x + w < x2 || x2 + w2 < x || y + h < y2 || y2 + h2 < y).toBe(true);
      }
    }
  }
});
