import { ENDPOINT_LINES } from '../../../../src/model/acl/lint/endpoint-table';
import { PARAMETER_LINES } from '../../../../src/model/acl/lint/parameter-table';

test.each(Object.entries(ENDPOINT_LINES))(
  'each endpoint of %s is written once, with the capabilities that it needs',
  (_kind, text) => {
    const lines = text.trim().split('\n');
    const paths = lines.map((line) => line.split(' ')[0]);

    expect(lines.filter((line) => !/^(?:[\w.+-]+\/)*(?:[\w.+-]+|\*) c?d?l?p?r?u?$/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.endsWith(' '))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  },
);

test.each(Object.entries(PARAMETER_LINES))(
  'each line of parameters of %s is for an endpoint that writes, and names each parameter once',
  (kind, text) => {
    const endpoints = new Map(
      ENDPOINT_LINES[kind]!.trim()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    );
    const lines = text.split('\n').filter((line) => line !== '');

    for (const [path = '', ...names] of lines.map((line) => line.split(' '))) {
      expect({ path, letters: endpoints.get(path) }).toEqual({
        path,
        letters: expect.stringContaining('u') as unknown,
      });
      expect(names.length).toBeGreaterThan(0);
      expect(names).toEqual([...new Set(names)].sort());
      expect(names.filter((name) => !/^[\w-]+$/.test(name))).toEqual([]);
    }
  },
);
