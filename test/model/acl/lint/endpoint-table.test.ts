import { ENDPOINT_LINES } from '../../../../src/model/acl/lint/endpoint-table';

const LINE = /^(?:[\w.+-]+\/)*(?:[\w.+-]+|\*) c?d?l?p?r?u?(?: [\w-]+)*$/;

test.each(Object.entries(ENDPOINT_LINES))(
  'each endpoint of %s is written once, with the capabilities and the parameters that it needs',
  (_kind, text) => {
    const lines = text.trim().split('\n');
    const paths = lines.map((line) => line.split(' ')[0]);

    expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
    expect(lines.filter((line) => / {2}| $/.test(line))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  },
);

test.each(Object.entries(ENDPOINT_LINES))(
  'an endpoint of %s with parameters has a write operation, and lists each parameter once',
  (_kind, text) => {
    for (const [path, letters, ...names] of text
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .filter((words) => words.length > 2)) {
      expect({ path, letters }).toEqual({ path, letters: expect.stringContaining('u') as unknown });
      expect(names).toEqual([...new Set(names)].sort());
    }
  },
);
