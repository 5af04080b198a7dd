import { renderTrace, show } from '../../../src/sentinel';
import { run } from '../support/policies';

/** Policies that would run forever, or use all memory. */
const ENDLESS: Readonly<Record<string, readonly [policy: string, problem: RegExp, line: number]>> = {
  'calls itself': [
    'f = func(n) {\n\treturn f(n + 1)\n}\nmain = f(1)\n',
    /call each other more than 500 levels/,
    2,
  ],
  'calls itself twice': [
    'f = func(n) {\n\tif n is 0 {\n\t\treturn 0\n\t}\n\treturn f(n - 1) + f(n - 1)\n}\nmain = f(200) is 0\n',
    /stopped after 500000 steps/,
    2,
  ],
  'loops in loops': [
    'n = 0\nfor range(10000) as i {\n\tfor range(10000) as j {\n\t\tn += 1\n\t}\n}\nmain = true\n',
    /stopped after 500000 steps/,
    4,
  ],
  'looks for each element of a long list in it': [
    'l = range(100000)\nmain = all l as each {\n\tl contains each\n}\n',
    /looks at too many characters and elements/,
    3,
  ],
  'copies a long list in a long loop': [
    'l = range(100000)\nfor l as i {\n\tfor l as j { break }\n}\nmain = true\n',
    /stopped after 500000 steps/,
    3,
  ],
  'matches long texts': [
    's = "ab"\nfor range(18) as _ { s += s }\nmain = all range(1000) as _ {\n\ts not matches "^(a|b|ab)*c"\n}\n',
    /looks at too many characters and elements/,
    4,
  ],
  'keeps parts of a long list': [
    'l = range(100000)\nm = {}\nfor l as i {\n\tm[i] = l[:]\n}\nmain = true\n',
    /strings, lists and maps of more than 5000000/,
    4,
  ],
  'compares such lists': [
    'x = [1]\ny = [1]\nfor range(40) as _ {\n\tx = [x, x]\n\ty = [y, y]\n}\nmain = x is y\n',
    /lists and maps hold more than 500000 values/,
    7,
  ],
  'doubles a string': [
    's = "a"\nfor range(64) as i { s += s }\nmain = true\n',
    /made strings, lists and maps of more/,
    2,
  ],
  'doubles a list': [
    's = [1]\nfor range(64) as i { s += s }\nmain = true\n',
    /made strings, lists and maps of more/,
    2,
  ],
  'makes a huge range': ['main = range(9223372036854775807)\n', /made strings, lists and maps of more/, 1],
  'converts a list that contains itself': [
    'import "json"\nl = []\nappend(l, l)\nmain = json.marshal(l) is ""\n',
    /nested more than 1000 levels/,
    4,
  ],
  'joins a long text with itself': [
    'import "strings"\ns = "x"\nfor range(20) as _ { s += s }\nmain = strings.join(range(1000), s) is ""\n',
    /made strings, lists and maps of more/,
    4,
  ],
  'joins lists that are shared': [
    'import "strings"\nl = ["1"]\nfor range(40) as _ { l = [l, l] }\nmain = strings.join(l, "") is ""\n',
    /lists and maps hold more than 500000 values/,
    4,
  ],
  'calculates logarithms': [
    'import "decimal"\nd = decimal.new("1.5")\nfor range(10000) as _ { x = d.ln() }\nmain = true\n',
    /its calculations take too long/,
    3,
  ],
  'calculates remainders of huge numbers': [
    'import "decimal"\nd = decimal.new("1e90000")\nfor range(10000) as _ { x = d.mod("1.7") }\nmain = true\n',
    /its calculations take too long/,
    3,
  ],
  'calculates the remainder of a number that is too huge': [
    'import "decimal"\nmain = decimal.new("1e900000").mod("1.7").is(0)\n',
    /the exponents are more than 100000 apart/,
    2,
  ],
  'nests rules': [
    `r0 = rule { true }\n${Array.from({ length: 5000 }, (_, i) => `r${i + 1} = rule { r${i} }\n`).join('')}main = rule { r5000 }\n`,
    /nested too deeply/,
    0,
  ],
};

describe('a policy with limits', () => {
  test.each(Object.entries(ENDLESS))(
    'stops with an error and its position if it %s',
    (_name, [policy, problem, line]) => {
      const { passed, error } = run(policy, { limits: { steps: 500_000, memory: 5_000_000 } });
      expect(passed).toBe(false);
      expect(error?.problem).toMatch(problem);
      if (line > 0) expect(Math.abs((error?.position.line ?? 0) - line)).toBeLessThanOrEqual(3);
    },
  );

  test('succeeds with 499 recursive calls', () => {
    const policy =
      'f = func(n) {\n\tif n is 0 {\n\t\treturn 0\n\t}\n\treturn 1 + f(n - 1)\n}\nmain = f(499) is 499\n';
    expect(run(policy).passed).toBe(true);
  });

  test('needs linear time for a regular expression that would backtrack in other engines', () => {
    const policy = 's = "a"\nfor range(14) as i { s += s }\nmain = s + "!" not matches "^(a+)+$"\n';
    expect(run(policy).passed).toBe(true);
  });

  test.each([
    ['int(s)', 'strconv.ParseInt: parsing "99'],
    ['float(s)', 'strconv.ParseFloat: parsing "99'],
    ['s matches "(" + s', '"(999'],
    ['error(s)', '999'],
    ['s[s]', 'only lists and maps have an index'],
  ])('has a short message if %s fails with a long text', (expression, start) => {
    const { error } = run(`s = "9"\nfor range(20) as _ { s += s }\nmain = ${expression} is 1\n`);
    expect(error?.problem.startsWith(start)).toBe(true);
    expect(error?.problem.length).toBeLessThanOrEqual(10_001);
  });

  test('stops at the first check of the clock after its time limit', () => {
    const limits = { milliseconds: 0 };
    const long = run('for range(3000) as i {\n\tx = i\n}\nmain = true\n', { limits });
    expect(long.error?.problem).toBe('the policy was stopped: it takes more than 0 ms');
    expect(run('main = true\n', { limits }).passed).toBe(true);
  });

  test.each([
    ['main = length(range(900000)) is 900000', undefined],
    ['main = length(range(1100000)) is 1100000', '1:15'],
    ['s = "ab"\nfor range(16) as _ { s += s }\nmain = s matches "^(a|b)*$"', undefined],
    ['s = "ab"\nfor range(18) as _ { s += s }\nmain = s matches "^([ab]?[ab]?){9}"', '3:10'],
    ['s = "ab"\nfor range(20) as _ { s += s }\nmain = s is "ab"', '2:22'],
  ])('stops before a call that may take longer than the time that is left: %j', (text, place) => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const { error, passed } = run(`${text}\n`, { limits: { milliseconds: 100 } });
    jest.restoreAllMocks();
    expect(error?.source.place(error.span.start)).toBe(place && `test.sentinel:${place}`);
    expect(error?.problem).toBe(place && 'the policy was stopped: it takes more than 100 ms');
    expect(passed).toBe(place === undefined);
  });

  test('stops at the call of a request that ends after its time limit', () => {
    const sent: string[] = [];
    let clock = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => clock);
    const { error } = run('import "http"\nmain = http.get("http://a").status_code is 200\n', {
      limits: { milliseconds: 100 },
      send: ({ url }) => {
        sent.push(url);
        clock = 200;
        return { status: 200, headers: {}, body: '' };
      },
    });
    expect({ sent, place: error?.source.place(error.span.start), problem: error?.problem }).toEqual({
      sent: ['http://a'],
      place: 'test.sentinel:2:8',
      problem: 'the policy was stopped: it takes more than 100 ms',
    });
    jest.restoreAllMocks();
  });

  test('stops at other limits if they are given', () => {
    expect(
      run('for range(100) as i {\n\tx = i\n}\nmain = true\n', { limits: { steps: 50 } }).error?.problem,
    ).toBe('the policy was stopped after 50 steps');
  });
});

test('a map of many entries is read', () => {
  const entries = Array.from({ length: 100_000 }, (_, index) => `"k${index}": ${index}`).join(', ');
  expect(run(`m = {${entries}}\nmain = length(m) is 100000\n`)).toMatchObject({
    passed: true,
    error: undefined,
  });
});

describe('a value in the output', () => {
  test('ends where it contains itself', () => {
    const { printed, passed } = run(
      'l = [1]\nappend(l, l)\nm = {"a": l}\nm["m"] = m\nprint(l, m)\nmain = true\n',
    );
    expect({ printed, passed }).toEqual({ printed: ['[1 …] {"a": [1 …], "m": …}'], passed: true });
    const list: unknown[] = [];
    list.push(list);
    expect(show(list as never)).toBe('[…]');
  });

  test('appears twice if a list contains it twice', () => {
    expect(run('l = [1]\nprint([l, l])\nmain = true\n').printed).toEqual(['[[1] [1]]']);
  });

  test('ends at the maximum length, in traces and in printed text', () => {
    const policy =
      's = "x"\nfor range(23) as _ { s += s }\na = rule { s }\nprint([s])\nmain = rule { a is "" }\n';
    const outcome = run(policy);
    expect(outcome.printed.map((text) => text.length)).toEqual([1_000_001]);
    const trace = renderTrace(outcome);
    expect(trace).toContain(`x…\n  (${1_000_001 - 100_000} more characters)\n`);
    expect(trace).toContain(`      "${'x'.repeat(9_999)}…\n`);
    expect(trace.length).toBeLessThan(111_000);
  });

  test('ends at a million characters if its lists contain each other very often', () => {
    const { printed } = run('x = [1]\nfor range(40) as _ { x = [x, x] }\nprint(x)\nmain = true\n');
    expect(printed.map((text) => text.length)).toEqual([1_000_001]);
  });

  test('counts as memory of the run', () => {
    const policy = 'l = range(1000)\nfor range(1000000) as _ { print(l) }\nmain = true\n';
    expect(run(policy, { limits: { memory: 100_000 } }).error?.problem).toMatch(
      /strings, lists and maps of more than 100000/,
    );
  });

  test('appears only for the first of many rules', () => {
    const rules = Array.from({ length: 30 }, (_, index) => `r${index} = rule { s }\n`);
    const names = rules.map((_, index) => `r${index} is s`);
    const outcome = run(
      `s = "x"\nfor range(14) as _ { s += s }\n${rules.join('')}main = rule { ${names.join(' and ')} }\n`,
    );
    const trace = renderTrace(outcome);
    expect(trace.match(/ - Rule /g)?.length).toBe(10);
    expect(trace).toContain('(21 more rules)');
  });
});
