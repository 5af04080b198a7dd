import {
  cluster,
  either,
  field,
  literal,
  or,
  phrase,
  PYTHON,
  remove,
  render,
  renderJson,
  renderLine,
  renderPhrase,
  set,
  waysIn,
  type Message,
} from '../../../src/model/messages';

const MESSAGE: Message = {
  summary: phrase`cluster ${cluster('us')}: ${field('max_space')} conflicts`,
  details: ['It is full.', 'Nothing fits.'],
  received: literal(true),
  allowed: phrase`one of ${field('max_space')} and others`,
  claims: ['nothing-changed'],
  cures: [either(set('max_space', 5), remove('max_space')), 'Or ask somebody.'],
};

test('render returns a summary, and one fact a line with the advice at the end', () => {
  expect(render(MESSAGE)).toEqual({
    summary: 'cluster "us": max_space conflicts',
    detail:
      'It is full.\nNothing fits.\nReceived: true.\nAllowed: one of max_space and others. Nothing was changed.\n' +
      'To do: set max_space to 5, or remove max_space.\nOr ask somebody.',
  });
});

test('render with another notation changes references, and no other text', () => {
  expect(render({ ...MESSAGE, details: ['Here, max_space is true.'] }, PYTHON).detail).toBe(
    'Here, max_space is true.\nReceived: True.\nAllowed: one of max_space and others. Nothing was changed.\n' +
      'To do: set max_space to 5, or remove max_space.\nOr ask somebody.',
  );
});

test('render returns no detail for a summary alone', () => {
  expect(render({ summary: 'it failed' })).toEqual({ summary: 'it failed', detail: '' });
});

test('render returns a claim as a line, even without other facts', () => {
  expect(render({ summary: 'it failed', claims: ['nothing-changed'] }).detail).toBe('Nothing was changed.');
});

test('render puts an appendix last, after the claims', () => {
  expect(render({ ...MESSAGE, details: [], allowed: 'some', appendix: 'Now:\n  - us' }).detail).toBe(
    'Received: true.\nAllowed: some.\nTo do: set max_space to 5, or remove max_space.\nOr ask somebody.\n\n' +
      'Nothing was changed.\nNow:\n  - us',
  );
});

test('renderLine returns the same facts in the same order', () => {
  expect(renderLine(MESSAGE)).toBe(
    'cluster "us": max_space conflicts; It is full; Nothing fits; received true; allowed: one of max_space and others; ' +
      'Nothing was changed; set max_space to 5, or remove max_space; Or ask somebody.',
  );
});

test('renderJson returns actions, claims and references as data', () => {
  expect(renderJson(MESSAGE)).toEqual({
    ...render(MESSAGE),
    claims: ['nothing-changed'],
    actions: [
      { kind: 'set', field: { kind: 'field', name: 'max_space' }, value: { kind: 'literal', value: 5 } },
      { kind: 'remove', field: { kind: 'field', name: 'max_space' } },
    ],
    references: [
      { kind: 'cluster', name: 'us' },
      { kind: 'field', name: 'max_space' },
      { kind: 'literal', value: true },
      { kind: 'field', name: 'max_space' },
    ],
  });
});

test('waysIn returns each alternative with its actions in their order', () => {
  const cures = [
    phrase`${set('primary')} and ${remove('abandoned_clusters')}. ${or('If')} that fails, ${set('force_promotion')}`,
    phrase`then ${{ kind: 'apply' }}; ${or('or')} wait`,
  ];
  expect(waysIn({ summary: '', cures })).toEqual([
    [set('primary'), remove('abandoned_clusters')],
    [set('force_promotion'), { kind: 'apply' }],
  ]);
  expect(renderJson({ summary: '', cures }).references).toEqual([]);
});

test('the text of an action says whether it applies to all clusters or to all but one', () => {
  const run = { kind: 'run', command: 'vault status', clusters: ['us', 'eu'] } as const;
  expect(renderPhrase(run)).toBe('run vault status on "us" and "eu"');
  expect(renderPhrase({ ...run, which: 'all-but-one' })).toBe(
    'run vault status on all but one of "us" and "eu"',
  );
});
