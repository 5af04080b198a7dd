import { DataResource, Fn, TerraformLocal, TerraformVariable, Token, type TerraformStack } from 'cdktf';
import { AclPolicy, Capability, PolicyStatement, type PolicyStatementProps } from '../../../constructs';
import { parseAclPolicy } from '../../../src/model';
import { TRIED_PROVIDERS, useLateStack } from '../support/late-stack';
import { synthesizeInto } from '../support/stack-workspace';

const INJECTION = 'x" { capabilities=["read"] } path "sys/*" { capabilities=["read","sudo"] } path "y';
/**
 * The text of INJECTION without the characters that parameters and paths refuse, and with more
 * characters that are special in HCL.
 */
const ESCAPED = `${INJECTION.replace(/[*{}+]/g, '.')}\\" \n . # $\\`;

/** The sources of values. All variables hold the same text. */
interface Sources {
  readonly text: string;
  readonly list: string[];
  readonly object: TerraformVariable;
  readonly local: string;
  readonly output: string;
}

/** The forms in which an app can write a value that only Terraform knows. */
const SHAPES: Readonly<Record<string, (sources: Sources) => string>> = {
  variable: ({ text }) => text,
  local: ({ local }) => local,
  output: ({ output }) => output,
  attribute: ({ object }) => Token.asString(Fn.lookupNested(object.value, ['a', 'b'])),
  lookup: ({ object }) => Token.asString(Fn.lookup(Fn.lookup(object.value, 'a'), 'b')),
  element: ({ list }) => Token.asString(Fn.element(list, 0)),
  join: ({ list }) => Fn.join('', list),
  format: ({ text }) => Fn.format('%s', [text]),
  formatlist: ({ list }) => Token.asString(Fn.element(Fn.formatlist('%s', [list]), 0)),
  coalesce: ({ text }) => Token.asString(Fn.coalesce(['', text])),
  conditional: ({ text }) => Token.asString(Fn.conditional(true, text, 'x')),
  replace: ({ text }) => Fn.replace(text, 'absent', 'a'),
  base64: ({ text }) => Fn.base64decode(Fn.base64encode(text)),
  json: ({ text }) => Token.asString(Fn.jsondecode(Fn.jsonencode(text))),
  raw: () => '${var.text}',
  rawIndex: () => '${var.list[0]}',
  rawAttribute: () => '${var.object.a.b}',
  rawSplat: () => '${one(var.list[*])}',
  rawFunction: () => '${chomp(var.text)}',
  rawCondition: () => '${true ? var.text : var.text}',
  rawTry: () => '${try(var.object.none, var.text)}',
  rawTrimmed: () => '${~ var.text ~}',
  rawSensitive: () => '${sensitive(var.text)}',
  directiveElse: () => '%{ if false }*%{ else }${var.text}%{ endif }',
  directive: () => '%{ if true }${var.text}%{ endif }',
  loop: () => '%{ for each in var.list }${each}%{ endfor }',
};
/** The shapes with values that are unknown in the plan. */
const NOT_AT_PLAN = ['output'];

describe.each(TRIED_PROVIDERS)(
  'a late value of each shape, with resources of %s, through the real terraform',
  (resources) => {
    const use = useLateStack(resources);

    /** Applies a policy of each shape. */
    async function apply(text: string, props: (late: string) => PolicyStatementProps) {
      const { workspace, clusterIn } = use();
      synthesizeInto(workspace, (stack) => {
        const cluster = clusterIn(stack);
        const sources = sourcesIn(stack);
        for (const [shape, write] of Object.entries(SHAPES)) {
          const statements = [new PolicyStatement(props(write(sources)))];
          new AclPolicy(stack, `policy-${shape}`, { cluster, policyName: shape.toLowerCase(), statements });
        }
      });
      workspace.write('terraform.tfvars.json', { text, list: [text], object: { a: { b: text } } });
      await workspace.init();
      return workspace.run('apply', '-auto-approve', '-no-color');
    }

    test('the value arrives unchanged everywhere outside of paths', async () => {
      const { stderr } = await apply(ESCAPED, (late) => ({
        paths: ['a'],
        capabilities: [Capability.READ],
        comment: `for ${late}`,
        allowedParameters: { [`p${late}`]: [late] },
        deniedParameters: { [`d${late}`]: [late] },
        requiredParameters: [late],
        mfaMethods: [late],
        subscribeEventTypes: [late],
        controlGroup: { factors: [{ name: `f${late}`, groupNames: [late], groupIds: [late] }] },
      }));
      expect(stderr).toBe('');
      for (const shape of Object.keys(SHAPES)) {
        const { policy } = await use().policies<{ policy: string }>(`/${shape.toLowerCase()}`);
        const { rules } = parseAclPolicy(policy);
        expect(rules).toEqual([
          expect.objectContaining({
            path: 'a',
            capabilities: ['read'],
            allowedParameters: { [`p${ESCAPED.toLowerCase()}`]: [ESCAPED] },
            deniedParameters: { [`d${ESCAPED.toLowerCase()}`]: [ESCAPED] },
            requiredParameters: [ESCAPED],
            mfaMethods: [ESCAPED],
          }),
        ]);
      }
    });

    test('the value causes an error in a path if it would widen the path', async () => {
      const { stderr } = await apply(INJECTION, (late) => ({
        paths: [`secret/${late}`],
        capabilities: [Capability.READ],
      }));
      const conditions = stderr.split('Resource precondition failed').length - 1;
      expect(conditions).toBe(Object.keys(SHAPES).length - NOT_AT_PLAN.length);
      expect(await use().policies('?list=true')).toMatchObject({ keys: ['default', 'root'] });
    });
  },
);

function sourcesIn(stack: TerraformStack): Sources {
  const text = new TerraformVariable(stack, 'text', { type: 'string' }).stringValue;
  const list = new TerraformVariable(stack, 'list', { type: 'list(string)' }).listValue;
  const object = new TerraformVariable(stack, 'object', { type: 'any' });
  const maker = new DataResource(stack, 'maker', { input: { value: text } });
  return {
    text,
    list,
    object,
    local: new TerraformLocal(stack, 'local', text).asString,
    output: Token.asString(maker.output.lookup('value')),
  };
}
