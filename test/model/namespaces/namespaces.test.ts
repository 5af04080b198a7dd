import { describeFinding, NAMESPACE, validate } from '../../../src/model';

const problemsOf = (path: string) =>
  validate(NAMESPACE, { path }).map((finding) => describeFinding(NAMESPACE, path, finding).line);

test('a name without slashes is valid', () => {
  expect(problemsOf('team-1')).toEqual([]);
});

test.each([
  ['team/app', ['set path to "app", and set namespace to "team"']],
  ['a/b/c', ['set path to "c", and set namespace to "a/b"']],
  ['team/', ['set path to "team"']],
  ['', ['set it to a name such as "team"']],
  ['root', ['cannot be the name of a namespace']],
  ['a b', ['cannot be the name of a namespace']],
])('the path %j is refused, with what to write', (path, texts) => {
  const problems = problemsOf(path);
  expect(problems).toHaveLength(1);
  for (const text of texts) expect(problems[0]).toContain(text);
});
