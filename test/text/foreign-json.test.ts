import { parseForeignJson, Redactor } from '../../src/text';
import { readAuditLine } from '../../src/model';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('JSON with a thousand levels is parsed, and deeper JSON is refused without parsing', () => {
  expect(JSON.stringify(parseForeignJson(nested(1_000)))).toBe(nested(1_000));
  expect(() => parseForeignJson(nested(1_001))).toThrow(
    new SyntaxError('it is nested deeper than 1000 levels'),
  );
  const brackets = JSON.stringify(['['.repeat(5_000)]);
  expect(JSON.stringify(parseForeignJson(brackets))).toBe(brackets);
});

test('a byte order mark before JSON is ignored', () => {
  expect(parseForeignJson('\uFEFF{"a":1}')).toEqual({ a: 1 });
});

test('a reviver is not called for JSON with too many levels', () => {
  const revive = jest.fn((_name: string, value: unknown) => value);
  expect(() => parseForeignJson(nested(50_000), revive)).toThrow(SyntaxError);
  expect(revive).not.toHaveBeenCalled();
});

test('a line of an audit log whose data is nested 50,000 levels deep is unreadable', () => {
  const data = `{"a":${nested(50_000)}}`;
  const line = `{"type":"request","auth":{"policies":["app"]},"request":{"operation":"update","path":"a","data":${data}}}`;
  expect(readAuditLine(line)).toBe('unreadable');
});

test('a secret that is JSON of 50,000 levels is hidden as a whole', () => {
  const secret = `{"a":${nested(50_000)}}`;
  expect(new Redactor([secret]).hide(`got ${secret}`)).toBe('got (hidden)');
});
