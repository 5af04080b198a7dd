import type { TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import {
  ACL_POLICY,
  ACL_SYNTAX_KNOWN,
  checkBesideExpressions,
  describeFinding,
  objectTitle,
  warningOfUnknownSyntax,
  type FieldValues,
  type ObjectDefinition,
} from '../../src/model';
import { code, phrase, property } from '../../src/model/messages';
import { UnknownPolicySyntax, ResourceProvider, type IVaultCluster } from '../clusters/cluster';
import { setLaterArguments } from '../clusters/private/later-arguments';
import { UpstreamPolicy, VaultadminAclPolicy, type PolicyConfig } from '../private/bindings';
import type { IAclPolicy, IPolicy } from './policy';
import { PolicyDocument } from './policy-document';
import type { PolicyStatement } from './policy-statement';
import { checkConstructProps, CLUSTER } from '../private/expectations';
import { isUnknown } from '../private/known';
import { guardProps, requireConditions } from '../private/late-values';
import { lateProps } from '../private/string-props';
import { CLOSED_DOCUMENT, neverOverwrites } from '../private/messages';
import { appNotation } from '../private/app-language';
import { checkAtSynthesis, refuseConstruct } from '../private/report';
import { declarePolicy } from './private/declare-policy';
import { ReleasedPolicy } from './private/released-policy';
import { ImportedPolicy } from './private/imported-policy';
import { PolicyBase } from './private/policy-base';

const REQUIRED = { cluster: CLUSTER };

/** The properties of an ACL policy. */
export interface AclPolicyProps {
  /** The cluster to write the policy to. */
  readonly cluster: IVaultCluster;

  /**
   * The name of the policy, in lower case.
   *
   * A change of the name replaces the policy.
   *
   * @default - the construct's path in lower case, its parts joined with `-`
   */
  readonly policyName?: string | undefined;

  /**
   * The namespace to write the policy to, within the namespace of the cluster.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /**
   * The document of the policy. Statements that are added to the policy are added to the document.
   *
   * @default - an empty document
   */
  readonly document?: PolicyDocument | undefined;

  /**
   * Whether the first apply overwrites a policy of the same name that exists already.
   *
   * With `ResourceProvider.VAULTADMIN` it cannot be true.
   *
   * @default false
   */
  readonly allowOverwrite?: boolean | undefined;

  /**
   * The first statements to add to the document.
   *
   * @default - none
   */
  readonly statements?: PolicyStatement[] | undefined;
}

/** Matches the text by which the framework represents a value that it resolves later. */
const TOKEN = /\$\{TfToken\[[^\]]*\]\}/g;

/**
 * Returns the faults of a text with Terraform expressions. A text without expressions is not
 * checked here, because its construct checks it as a whole.
 */
function faultsBesideExpressions(cluster: IVaultCluster, name: string, text: string): string[] {
  const finding = isUnknown(text) ? checkBesideExpressions(text.replace(TOKEN, '${...}')) : undefined;
  if (!finding || (finding.rule === ACL_SYNTAX_KNOWN.id && toleratesUnknown(cluster))) return [];
  const named = isUnknown(name) ? undefined : name;
  return [describeFinding(ACL_POLICY, named, finding, appNotation()).line];
}

function toleratesUnknown({ unknownPolicySyntax }: IVaultCluster): boolean {
  return unknownPolicySyntax === UnknownPolicySyntax.WARN;
}

/** Returns the definition of a policy to which statements can be added, for its messages. */
function withStatements(definition: ObjectDefinition): ObjectDefinition {
  const rules = definition.rules.map((rule) =>
    rule.id === 'policy-not-empty'
      ? {
          ...rule,
          check: (values: FieldValues) => rule.check(values).map((each) => ({ ...each, cure: ADD })),
        }
      : rule,
  );
  return { ...definition, rules };
}

const ADD = phrase`set ${property('statements')} or ${property('document')}, or call ${code('addStatements')}; a
  document with only a comment grants nothing`;

function upstreamPolicy(construct: Construct, config: PolicyConfig, allowOverwrite = false): UpstreamPolicy {
  const resource = new UpstreamPolicy(construct, 'Resource', config);
  setLaterArguments(resource, { allow_overwrite: allowOverwrite });
  return resource;
}

/** An ACL policy, which grants capabilities on paths to tokens. */
export class AclPolicy extends PolicyBase implements IAclPolicy {
  /**
   * Imports an ACL policy that already exists, or that is managed elsewhere.
   *
   * @param policyName the name of the policy.
   */
  public static fromPolicyName(scope: Construct, id: string, policyName: string): IPolicy {
    return new ImportedPolicy(scope, id, policyName);
  }

  /**
   * Releases an ACL policy that this stack declared with the same scope and id, so that another
   * stack can take it over: it leaves the state, and is not deleted. Write this call in place of
   * the declaration until the change is applied.
   *
   * @param cluster the cluster of the policy.
   */
  public static release(scope: Construct, id: string, cluster: IVaultCluster): void {
    new ReleasedPolicy(scope, id, cluster, 'policy');
  }

  /** The cluster that the policy is written to. */
  public readonly cluster: IVaultCluster;

  /** The namespace of the policy, within the namespace of its cluster. */
  public readonly namespace?: string;

  /** The document of the policy. */
  public readonly document: PolicyDocument;

  /** The Terraform resource: `vault_policy`, or `vaultadmin_acl_policy`. */
  public readonly resource: TerraformResource;

  /** @internal */
  public readonly _literalName: string;

  /** @throws Error for invalid properties. */
  constructor(scope: Construct, id: string, props: AclPolicyProps) {
    super(scope, id);
    const usable = checkConstructProps(this, 'AclPolicy', 'AclPolicyProps', props, REQUIRED);
    const { cluster, policyName, allowOverwrite } = usable;
    if (allowOverwrite === true && cluster.resourceProvider === ResourceProvider.VAULTADMIN) {
      refuseConstruct(this, [neverOverwrites(objectTitle(ACL_POLICY, policyName))]);
    }
    this.cluster = cluster;
    this.namespace = usable.namespace;
    this.document = usable.document ?? new PolicyDocument();
    const { statements = [] } = usable;
    if (statements.length === 0 || this.document._isOpen) this.document.addStatements(...statements);
    else refuseConstruct(this, [CLOSED_DOCUMENT]);

    const fields = () => ({ policy: this.document.render() });
    const ofServer = toleratesUnknown(cluster) ? warningOfUnknownSyntax(ACL_POLICY) : ACL_POLICY;
    const definition = this.document._isOpen ? withStatements(ofServer) : ofServer;
    const pending = this.document._isOpen ? ['policy'] : [];
    const config = {
      ...declarePolicy(this, definition, usable, fields, pending),
      policy: this.document._finalText,
    };

    const resource =
      usable.cluster.resourceProvider === ResourceProvider.VAULTADMIN
        ? new VaultadminAclPolicy(this, 'Resource', { ...config, cluster: usable.cluster.name })
        : upstreamPolicy(this, config, usable.allowOverwrite);
    this.resource = resource;
    this._literalName = config.name;
    this._complete(resource, 'vault_policy', () => this.document.render());
    guardProps(resource, lateProps('AclPolicyProps', usable));
    // A text without expressions was checked before, and cannot change.
    if (isUnknown(config.policy))
      checkAtSynthesis(this, () => faultsBesideExpressions(cluster, config.name, this.document.render()));
    this.document._onConditions((conditions) => requireConditions(this.resource, conditions));
  }

  /**
   * Adds statements to the document of the policy.
   *
   * @throws Error if the document was made from text.
   */
  public addStatements(...statements: PolicyStatement[]): void {
    this.document.addStatements(...statements);
  }
}
