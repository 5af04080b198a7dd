import { App, TerraformOutput, TerraformStack, Testing } from 'cdktf';
import { literalForTerraform } from '../../src/text';

test.each([
  ['an expression', '${var.x}', '$${var.x}'],
  ['a directive', '%{ if true }', '%%{ if true }'],
  ['a token of the framework', '${TfToken[TOKEN.0]}', '${"$"}{TfToken[TOKEN.0]}'],
  ['a token after a dollar sign', '$${TfToken[TOKEN.0]}', '${"$$"}{TfToken[TOKEN.0]}'],
  ['a token for a list', '#{TfToken[TOKEN.0]}', '#${"{"}TfToken[TOKEN.0]}'],
  ['a token for a map', '&{TfToken[TOKEN.0]}', '&${"{"}TfToken[TOKEN.0]}'],
])('Terraform reads a text literally that contains %s', (_, text, written) => {
  expect(literalForTerraform(text)).toBe(written);
  const stack = new TerraformStack(new App(), 'stack');
  new TerraformOutput(stack, 'text', { value: literalForTerraform(text) });
  new TerraformOutput(stack, 'list', { value: [literalForTerraform(text)] });
  expect(JSON.parse(Testing.synth(stack))).toMatchObject({ output: { text: { value: written } } });
});
