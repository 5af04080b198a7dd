import { AclText } from '../../src/language-server/acl-tokens';

const pathsOf = (text: string) => new AclText(text).rules.map(({ path }) => path.value);

test('a heredoc is one value, whatever braces and quotes are in it', () => {
  const text = `path "kv/a" {
  required_parameters = [<<-EOF
    }
    path "x" { "
    EOF
  ]
  capabilities = ["read"]
}
path "kv/b" {}
`;
  const [first, second] = new AclText(text).rules;
  expect(pathsOf(text)).toEqual(['kv/a', 'kv/b']);
  expect(first!.capabilities!.elements.map(({ value }) => value)).toEqual(['read']);
  expect(text.slice(second!.start, second!.end)).toBe('path "kv/b" {}');
});

test.each([
  ['is not closed', 'path "kv/a" {\n  x = <<EOF\n}\npath "x" {\n', ['kv/a']],
  ['begins and ends in one line', 'path "kv/a" { x = <<EOF }\npath "kv/b" {}\n', ['kv/a', 'kv/b']],
  ['ends with the text', 'path "kv/a" {\n  x = <<EOF\n}\n  EOF', ['kv/a']],
])('the rules before a heredoc are found if the heredoc %s', (_case, text, paths) => {
  expect(pathsOf(text)).toEqual(paths);
});
