import { ENDPOINT_LINES } from '../../../../src/model/acl/lint/endpoint-table';

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
