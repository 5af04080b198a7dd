import { format } from '../../../src/sentinel';

test.each([
  ['a=1+2*-x', 'a = 1 + 2 * -x\n'],
  ['main=rule{true}', 'main = rule { true }\n'],
  ['x=[ 1,2 ][ 0 ]', 'x = [1, 2][0]\n'],
  ['m={ "a":1,"b" : { } }', 'm = {"a": 1, "b": {}}\n'],
  ['f=func( a,b ){return a( b )}', 'f = func(a, b) { return a(b) }\n'],
  ['x=!(a)or not(b)', 'x = !(a) or not (b)\n'],
  ['x=a[1:n]\ny=a[1 : n-1]', 'x = a[1:n]\ny = a[1 : n - 1]\n'],
  ['\n\n\na=1\n\n\n\nb=2\n\n', 'a = 1\n\nb = 2\n'],
  ['a = 1 # one\nbcd = 2 # two\n# three\n', 'a = 1   # one\nbcd = 2 # two\n# three\n'],
  ['if a {\nb = 1\n} else {\nc = 2\n}', 'if a {\n\tb = 1\n} else {\n\tc = 2\n}\n'],
  [
    'case x {\nwhen 1,2:\ny = 1\nelse:\ny = 2\n}',
    'case x {\n\twhen 1, 2:\n\t\ty = 1\n\telse:\n\t\ty = 2\n}\n',
  ],
  ['case {\nwhen a:\nb = 1\n}', 'case  {\n\twhen a:\n\t\tb = 1\n}\n'],
  ['r = rule {\na and\nb\n}', 'r = rule {\n\ta and\n\tb\n}\n'],
  ['x = a and\nb or\n(c and\nd)', 'x = a and\n\tb or\n\t(c and\n\t\td)\n'],
  ['x = filter xs as _, v {\na and\nb\n}', 'x = filter xs as _, v {\n\ta and\n\t\tb\n}\n'],
  [
    'm = {\n"a": 1,\n"long": 2,\n"c": {\n"d": 3\n}\n}',
    'm = {\n\t"a":    1,\n\t"long": 2,\n\t"c": {\n\t\t"d": 3,\n\t},\n}\n',
  ],
  ['x = f(a,\nb, func(c) {\nreturn c\n})', 'x = f(a,\n\tb, func(c) {\n\t\treturn c\n\t})\n'],
  ['x = http.get(u).\nbody', 'x = http.get(u).\n\tbody\n'],
  ['/*\n * a\n   * b\n */\nmain = true', '/*\n * a\n * b\n */\nmain = true\n'],
  ['x = 8 . y\nz = 1.5 . y', 'x = 8 .y\nz = 1.5 .y\n'],
  ['', ''],
])('the text %j has one canonical layout', (text, expected) => {
  expect(format(text, 'p')).toBe(expected);
  expect(format(expected, 'p')).toBe(expected);
});

test('keys are not aligned with much longer ones', () => {
  const text = 'm = {\n\t"a_rather_long_key_in_a_map": 1,\n\t"b": 2,\n\t"cc": 3,\n}\n';
  expect(format(text, 'p')).toBe('m = {\n\t"a_rather_long_key_in_a_map": 1,\n\t"b":  2,\n\t"cc": 3,\n}\n');
});
