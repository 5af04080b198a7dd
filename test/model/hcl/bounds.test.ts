import { AclPolicyError, parseAclPolicy } from '../../../src/model';
import { findAclFault } from '../../../src/model/acl';
import { computingTime } from '../../support/computing-time';

/** Parses a policy, and expects that this takes little time. */
function parse(text: string): unknown {
  const begin = process.cpuUsage();
  try {
    return parseAclPolicy(text);
  } catch (error) {
    expect(error).toBeInstanceOf(AclPolicyError);
    return error;
  } finally {
    // The limit in microseconds is for the process's own computing time, so that other load does
    // not matter.
    expect(process.cpuUsage(begin).user).toBeLessThan(15_000_000);
  }
}

const rule = (path: string) => `path "${path}" { capabilities = ["read"] }`;

test('an interpolation of 200 kB after an escape is parsed in time', () => {
  expect(parse(rule(`\\u0061\${${'x'.repeat(200_000)}}`))).toMatchObject({
    rules: [{ path: `a\${${'x'.repeat(200_000)}}` }],
  });
});

test('a heredoc with an anchor of 1 MB is parsed in time', () => {
  const anchor = 'A'.repeat(1_000_000);
  parse(`path "a" { policy = <<${anchor}\n${'text\n'.repeat(1_000)}${anchor}\n}`);
  parse(`path "a" { policy = <<-${anchor}\n${' '.repeat(1_000_000)}\n${anchor.slice(1)}B\n`);
});

test('a heredoc whose long lines resemble its anchor is parsed in time', () => {
  parse(`path "a" { policy = <<A\n${`${'\v'.repeat(100_000)}B\n`.repeat(10)}A\n}`);
});

test('a text of 8 MB with one escape, and with many, is parsed in time', () => {
  expect(parse(rule(`${'x'.repeat(8_000_000)}\\n`))).toMatchObject({ rules: [{ capabilities: ['read'] }] });
  expect(parse(rule('\\n'.repeat(300_000)))).toMatchObject({ rules: [{ capabilities: ['read'] }] });
});

test('a message does not repeat a long text', () => {
  const error = parse(rule(`${'x'.repeat(1_000_000)}\\uD800\\U99999999`)) as Error;
  expect(error.message.length).toBeLessThan(1_000);
});

test.each(['9', '0x9', '07', '1.9', '-9'])(
  'a number of a million digits, %s…, is refused with a short message',
  async (digits) => {
    const policy = `path "a" {\n  control_group { factor "f" { identity { approvals = ${digits.padEnd(1_000_000, '7')} } } }\n}`;
    let error: unknown;
    const took = await computingTime(() => (error = parse(policy)));
    expect(took).toBeLessThan(5_000);
    expect((error as Error).message.length).toBeLessThan(1_000);
  },
);

test('100,000 Terraform expressions, outside of quotes and as values, are read in time', async () => {
  const took = await computingTime(() => {
    expect(findAclFault('${a}'.repeat(100_000))).toBeUndefined();
    expect(findAclFault(`path "a" { capabilities = ${'${a}'.repeat(100_000)} }`)).toBeUndefined();
  });
  expect(took).toBeLessThan(20_000);
});

test('a character that HCL does not allow is a fault, even before an expression of Terraform', () => {
  expect(findAclFault('path "a" {}\n\u0001\n${a}\n')).toMatchObject({ line: 2, column: 1 });
  // The character may be within a comment or a text that the expression begins.
  expect(findAclFault('path "a" {}\n${a}\n\u0001\n')).toBeUndefined();
});
