import { pictureOfClusters } from '../../../src/view/picture/clusters';
import type { Line, Picture } from '../../../src/view/picture/picture';
import { primary, secondary, view } from '../support/views';

/** Returns the content of a picture in a form that is easy to compare. */
function shown({ groups }: Picture) {
  const marks = { plain: '', faint: '~', good: '+', changed: '*', doubtful: '?', bad: '!' };
  const texts = (lines: readonly Line[]) => lines.map(({ text, tone }) => `${marks[tone]}${text}`);
  return groups.map(({ title, boxes, arrows }) => ({
    title,
    boxes: boxes.map((box) => [
      `${marks[box.tone]}${box.id}${box.isReported ? '*' : ''} ${box.title}`,
      ...texts(box.lines),
    ]),
    arrows: arrows.map(({ from, to, tone, lines }) => [`${marks[tone]}${from} -> ${to}`, ...texts(lines)]),
  }));
}

test('a set has its primary and the data of its secondaries, and a cluster without a set is separate', () => {
  const clusters = [
    view('ap', { replication: secondary({ secondary_id: 'ap-1', last_remote_wal: 100 }) }),
    view('eu', { replication: secondary() }),
    view('lab', { replication: { mode: 'disabled' } }),
    view('us', {
      replication: primary({
        known_secondaries: ['eu', 'ap-1'],
        secondaries: ['eu', 'ap-1'].map((node_id) => ({ node_id, connection_status: 'connected' })),
      }),
      paths_filters: { eu: { mode: 'deny', paths: ['a/', 'b/', 'c/', 'd/', 'e/'] }, 'ap-1': null },
    }),
  ];
  expect(shown(pictureOfClusters(clusters, []))).toEqual([
    {
      title: 'Replication set set-1',
      boxes: [
        ['+c4 us', 'primary, running', 'WAL 100', '~https://us.example.com', '~1.21.0+ent'],
        [
          '+c1 ap',
          'secondary, stream-wals, connection ready',
          'WAL 100 of 100',
          '~https://ap.example.com',
          '~1.21.0+ent',
        ],
        [
          '+c2 eu',
          'secondary, stream-wals, connection ready',
          'WAL 97 of 100, 3 behind',
          '~https://eu.example.com',
          '~1.21.0+ent',
        ],
      ],
      arrows: [
        ['+c4 -> c1', 'everything'],
        ['+c4 -> c2', 'deny a/', 'deny b/', 'deny c/', 'and 2 more'],
      ],
    },
    {
      title: 'In no replication set, or state unknown',
      boxes: [['c3 lab', 'replication disabled', '~https://lab.example.com', '~1.21.0+ent']],
      arrows: [],
    },
  ]);
});

test('problems, unreadable parts and clusters that only others report are marked', () => {
  const clusters = [
    view('us', {
      replication: primary({
        known_secondaries: ['eu', 'gone', 'never'],
        secondaries: [
          { node_id: 'eu', connection_status: 'connected' },
          { node_id: 'gone', connection_status: 'disconnected', api_address: 'https://gone:8200' },
        ],
      }),
    }),
    view('eu', {
      replication: secondary({
        state: 'merkle-sync',
        merkle_sync_progress: { sync_progress: 4, sync_total_keys: 90 },
      }),
    }),
    view('ap', {
      version: undefined,
      sealed: undefined,
      failures: [{ subject: 'health', message: 'no connection' }],
    }),
    view('lab', { sealed: true }),
  ];
  const problems = [
    { cluster: 'eu', text: 'is not streaming: merkle-sync, connection ready' },
    { cluster: 'lab', text: 'is sealed' },
    { text: 'concerns several' },
  ];
  expect(shown(pictureOfClusters(clusters, problems))).toEqual([
    {
      title: 'Replication set set-1',
      boxes: [
        ['+c1 us', 'primary, running', 'WAL 100', '~https://us.example.com', '~1.21.0+ent'],
        [
          '!c2 eu',
          'secondary',
          '4 of 90 keys copied',
          '!is not streaming: merkle-sync,',
          '!connection ready',
          '~https://eu.example.com',
          '~1.21.0+ent',
        ],
        ['!s1_p1_1* gone', 'secondary, as us reports', '~https://gone:8200'],
        ['!s1_p1_2* never', 'secondary, as us reports'],
      ],
      arrows: [['+c1 -> c2'], ['!c1 -> s1_p1_1', '!disconnected'], ['!c1 -> s1_p1_2', '!never connected']],
    },
    {
      title: 'In no replication set, or state unknown',
      boxes: [
        ['?c3 ap', 'state unknown', '?not read: health', '~https://ap.example.com'],
        ['!c4 lab', '!is sealed', '~https://lab.example.com', '~1.21.0+ent'],
      ],
      arrows: [],
    },
  ]);
});

test('secondaries whose primary is not among the clusters are shown', () => {
  const address = 'https://us.example.com:8201';
  const clusters = [
    view('eu', { replication: secondary({ known_primary_cluster_addrs: [address] }) }),
    view('ap', {
      replication: secondary({ known_primary_cluster_addrs: [address], connection_state: 'idle' }),
    }),
  ];
  const [group] = shown(pictureOfClusters(clusters, []));
  expect(group).toMatchObject({
    boxes: [
      ['s1_p* primary', 'not among these clusters', `~${address}`],
      ['+c1 eu', ...[0, 1, 2, 3].map(() => expect.anything() as string)],
      expect.anything(),
    ],
    arrows: [['+s1_p -> c1'], ['!s1_p -> c2']],
  });
});

test('a sealed primary is drawn in its set, and a problem does not repeat the state of a secondary', () => {
  const lost = {
    state: 'idle' as const,
    connection_state: 'transient_failure',
    primaries: [{ connection_status: 'disconnected', api_address: 'https://us.example.com' }],
  };
  const clusters = [
    view('us', { sealed: true }),
    view('eu', { replication: secondary(lost) }),
    view('lab', { sealed: true }),
  ];
  const problems = [
    { cluster: 'us', text: 'is sealed' },
    { cluster: 'eu', text: 'is not streaming: idle, connection transient_failure' },
  ];
  const [group, others] = shown(pictureOfClusters(clusters, problems));
  expect(group).toMatchObject({
    boxes: [
      ['!c1 us', '!is sealed', '~https://us.example.com', '~1.21.0+ent'],
      [
        '!c2 eu',
        'secondary',
        'WAL 97',
        '!is not streaming: idle, connection',
        '!transient_failure',
        '~https://eu.example.com',
        '~1.21.0+ent',
      ],
    ],
    arrows: [['!c1 -> c2']],
  });
  expect(others!.boxes.map(([first]) => first)).toEqual(['?c3 lab']);

  // The primary's address belongs to no cluster that answers.
  const [unknown] = shown(pictureOfClusters([clusters[2]!, clusters[1]!], problems));
  expect(unknown!.boxes[0]).toEqual(['s1_p* primary', 'not among the clusters that answer']);
});

test('two primaries of one set are shown, with a secondary that one of them does not know', () => {
  const clusters = [
    view('us', { replication: primary() }),
    view('ap', { replication: primary({ known_secondaries: [], secondaries: [] }) }),
    view('eu', { replication: secondary() }),
  ];
  const [group] = shown(pictureOfClusters(clusters, []));
  expect(group!.boxes.map(([first]) => first)).toEqual(['+c1 us', '+c2 ap', '+c3 eu']);
  expect(group!.arrows).toEqual([['+c1 -> c3']]);
});

test('several sets are drawn in the order of their ids', () => {
  const clusters = [
    view('b', { replication: primary({ cluster_id: 'set-2', known_secondaries: [], secondaries: [] }) }),
    view('a', { replication: primary({ known_secondaries: [], secondaries: [] }) }),
  ];
  expect(shown(pictureOfClusters(clusters, [])).map(({ title }) => title)).toEqual([
    'Replication set set-1',
    'Replication set set-2',
  ]);
});

test('long texts are broken into lines, and cut off', () => {
  const [group] = shown(
    pictureOfClusters(
      [view('us', { replication: { mode: 'disabled' }, address: `https://${'a'.repeat(50)}.example.com` })],
      [{ cluster: 'us', text: 'word '.repeat(100).trim() }],
    ),
  );
  const eight = `!${Array.from({ length: 8 }, () => 'word').join(' ')}`;
  expect(group!.boxes[0]).toEqual([
    '!c1 us',
    'replication disabled',
    eight,
    eight,
    eight,
    '!…',
    `~https://${'a'.repeat(32)}`,
    `~${'a'.repeat(18)}.example.com`,
    '~1.21.0+ent',
  ]);
});
