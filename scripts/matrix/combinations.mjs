/**
 * What users are likely to have. `framework` is the library that the app is built with; `cli` drives Terraform, or nothing
 * does and the app is run by hand; `engine` is what `TERRAFORM_BINARY_NAME` says.
 */
export const combinations = [
  { node: '20', framework: 'cdktf@0.21', engine: 'terraform' },
  { node: '22', framework: 'cdktf@0.21', engine: 'terraform' },
  { node: '24', framework: 'cdktf@0.21', engine: 'terraform' },
  { node: '20', framework: 'cdktf@0.21', cli: 'cdktf-cli@0.21', engine: 'terraform' },
  { node: '20', framework: 'cdktf@0.21', engine: 'tofu' },
  { node: '20', framework: 'cdktf@0.21', cli: 'cdktf-cli@0.21', engine: 'tofu' },
  { node: '22', framework: 'cdktn@0.24', engine: 'terraform' },
  { node: '22', framework: 'cdktn@0.24', cli: 'cdktn-cli@0.24', engine: 'terraform' },
  { node: '22', framework: 'cdktn@0.24', cli: 'cdktn-cli@0.24', engine: 'tofu' },
];

export function titleOf({ node, framework, cli, engine }) {
  return `Node ${node}, ${framework}, ${cli ?? 'no command line'}, ${engine}`;
}
