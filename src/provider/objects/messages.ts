import { literal, or, phrase, set, variable } from '../../model/messages';
import { MessageError, type LocatedMessage } from '../messages';
import type { VaultError, VaultErrorCode } from '../../client';
import type { DiagnosticError } from '../../plugin';
import { refusingPolicyIn } from '../../client/internal';
import { PROVIDER_NAME } from '../about';
import { environmentPrefix } from '../../model/clusters';
import { renderAclPolicy } from '../../model';
import { accessToCall, type Access } from '../../model/access';
import type { ObjectSubject, Subject } from './subject';

/** Reports that an object with the planned name already exists and is not in the state. */
export function existsAlready(object: ObjectSubject): DiagnosticError {
  return new MessageError({
    summary: `${onCluster(object)} already exists`,
    details: 'Creating it would overwrite the existing object.',
    claims: ['nothing-changed'],
    cures: `choose another name, or ${howToImport(object)}`,
  });
}

/** Warns that the object to be created exists already with the wanted values. */
export function adopted(object: ObjectSubject): LocatedMessage {
  return {
    summary: `${onCluster(object)} already exists, exactly as planned`,
    details: phrase`It is now in the state and was not changed. An apply that was killed may have
      created it, or it is being replaced with create_before_destroy. Otherwise someone else created it,
      and two owners manage it.`,
    cures:
      'if someone else manages it, remove it from the configuration and from the state (terraform state rm)',
  };
}

/** Refuses a plan that would destroy an object under one address and create it under another. */
export function createdAndDestroyed(object: ObjectSubject): LocatedMessage {
  const type = `${PROVIDER_NAME}_${object.definition.name}`;
  return {
    summary: `${onCluster(object)} would be created and destroyed by the same plan`,
    details: phrase`It has a new address in the configuration. Terraform creates and destroys in any
      order, so the object may be gone in the end.`,
    cures: `if the resource was renamed, or moved to a module, add a moved block:\n\n  moved {\n    from = ${type}.old_name\n    to   = ${type}.new_name\n  }`,
  };
}

/** Refuses two resources of a configuration for one object. */
export function configuredTwice(object: ObjectSubject): LocatedMessage {
  return {
    summary: `${onCluster(object)} is in the configuration twice`,
    details: 'Another resource has the same name, and each would overwrite what the other writes.',
    cures: phrase`remove one of the two, or give it another name. If for_each, count or a module makes them,
      the name must contain what differs, such as each.key`,
  };
}

/**
 * Warns that the plan deletes objects.
 *
 * @param object the first of them, which the message names for all.
 */
export function deletesObjects(object: ObjectSubject): LocatedMessage {
  return {
    summary: 'objects will be deleted, also if another stack has taken them over',
    details: phrase`A server does not say which state an object belongs to. If one of the objects that this plan
      deletes, such as ${onCluster(object)}, was moved to another stack, the plan deletes what that stack manages now.`,
    cures: `if one was moved, keep it by a removed block in place of its resource:\n\n  removed {\n    from = ${PROVIDER_NAME}_${object.definition.name}.NAME\n    lifecycle {\n      destroy = false\n    }\n  }`,
  };
}

/** Refuses to destroy an object that is in the state twice. */
export function inStateTwice(object: ObjectSubject): LocatedMessage {
  return {
    summary: `${onCluster(object)} is in the state twice, and one of the two would be destroyed`,
    details: phrase`Both refer to the same object, which would be gone. An apply with
      create_before_destroy may have been interrupted.`,
    cures: `remove both from the state (terraform state rm), then ${howToImport(object)}`,
  };
}

/**
 * Refuses to move a resource of another provider if there are several clusters: its state does not
 * contain the cluster of the object.
 */
export function movedToSeveral(title: string, type: string, clusters: readonly string[]): LocatedMessage {
  const names = clusters.map((name) => JSON.stringify(name)).join(', ');
  return {
    summary: `${title}: its moved block does not specify a cluster`,
    details: phrase`The state of the provider hashicorp/vault contains no cluster name. Configured
      clusters: ${names}.`,
    cures: phrase`instead of the moved block, write a removed block (destroy = false) for the
      resource of hashicorp/vault, and an import block for ${PROVIDER_NAME}_${type}`,
  };
}

/** Warns that the namespace of an object was deleted with everything in it. */
export function namespaceGone(object: ObjectSubject): LocatedMessage {
  return {
    summary: phrase`${onCluster(object)} is gone: its namespace
      ${JSON.stringify(object.location.namespace)} no longer exists`,
    details: phrase`The namespace was deleted outside of Terraform, with everything in it. The object
      is removed from the state.`,
    cures: 'create the namespace again before the next apply, or remove the resource from the configuration',
  };
}

/** A change that is not allowed, with the rules that allow it. */
export interface Lack {
  readonly verb: string;
  readonly title: string;
  readonly rules: readonly Access[];
}

/** Reports that the token may not make planned changes. */
export function rightsMissing(
  { location }: Pick<Subject, 'location'>,
  namespace: string,
  lacks: readonly Lack[],
  severity: 'error' | 'warning',
): LocatedMessage {
  const addRules = 'add the rules to a policy of the token that applies the plan, if it does not have them';
  return {
    summary: `the token of cluster ${JSON.stringify(location.cluster)} may not make all changes of this plan`,
    details: detailsOfLacks(lacks, namespace),
    cures:
      severity === 'error'
        ? addRules
        : phrase`${addRules}. ${or('If')} this token is only for plans, ${set('check_rights', literal('apply_only'))}
          for it (${variable(`${environmentPrefix(location.cluster)}CHECK_RIGHTS`)})`,
  };
}

/** Reports that a write is refused because the token may not make planned changes. */
export function lacksRights(
  verb: string,
  object: ObjectSubject,
  namespace: string,
  lacks: readonly Lack[],
): LocatedMessage {
  return {
    summary: `cannot ${verb} ${onCluster(object)}: the token may not make all changes`,
    details: detailsOfLacks(lacks, namespace),
    cures: phrase`add the rules to a policy of the token. If this apply grants them, let what needs them depend
      on the policy that has them (depends_on)`,
  };
}

/** Refers a further object to the error about missing rights. */
export function lacksRightsOfOther(verb: string, object: ObjectSubject, first: string): LocatedMessage {
  return {
    summary: `cannot ${verb} ${onCluster(object)}: the token may not make all changes (see the error about ${first})`,
  };
}

function detailsOfLacks(lacks: readonly Lack[], namespace: string): readonly string[] {
  const changes = lacks.map(({ verb, title }) => `${verb} ${title}`).join(', ');
  const rules = [...new Map(lacks.flatMap(({ rules }) => rules).map((rule) => [rule.path, rule])).values()];
  return [`Not allowed: ${changes}.`, ...rulesFor(rules, namespace)];
}

/** Returns lines with the policy rules that a token lacks. */
function rulesFor(rules: readonly Access[], namespace: string): readonly string[] {
  if (rules.length === 0) return [];
  const where =
    namespace === ''
      ? 'of the root namespace'
      : `of namespace ${JSON.stringify(namespace)} (in a policy of a namespace above, the path begins with the names in between)`;
  const text = renderAclPolicy(rules)
    .trimEnd()
    .replace(/^(?=.)/gm, '  ');
  return [`The rules for a policy ${where}:\n\n${text}\n`];
}

/** Returns the advice how to import an existing object. */
export function howToImport({ definition, id }: Pick<ObjectSubject, 'definition' | 'id'>): string {
  const resource = `${PROVIDER_NAME}_${definition.name}.NAME`;
  return `import it, replacing NAME with the resource's name, with the command

  terraform import ${resource} ${shellQuoted(id)}

or the block

  import {
    to = ${resource}
    id = ${hclQuoted(id)}
  }`;
}

/** Reports that the object to import does not exist. */
export function nothingToImport(object: ObjectSubject): DiagnosticError {
  return new MessageError({
    summary: `${onCluster(object)} does not exist`,
    received: `import id ${JSON.stringify(object.id)}`,
    cures: 'check the parts of the id. To create a new object, run an apply without an import',
  });
}

/**
 * Reports a state without the name of its object, which the provider never writes.
 *
 * @param attribute the attribute for the name.
 */
export function namelessState(title: string, attribute: string): DiagnosticError {
  return new MessageError({
    summary: `${title}: ${attribute} is missing in the state`,
    details: 'The state was changed by something other than Terraform. Nothing was sent.',
    cures:
      'restore an earlier version of the state, or remove the object with "terraform state rm" and import it',
  });
}

/** Reports that the object to read does not exist. */
export function nothingToRead(object: Subject): DiagnosticError {
  const { namespace } = object.location;
  return new MessageError({
    path: ['name'],
    summary: `${onCluster(object)} does not exist`,
    details: `Looked ${namespace === '' ? "in the namespace of the cluster's settings" : `in namespace ${JSON.stringify(namespace)}`}.`,
    cures: 'check the cluster, the namespace and the name, or create the object first',
  });
}

/** Warns that a write was not answered, and that its outcome could not be determined. */
export function outcomeUnknown(object: Subject): LocatedMessage {
  return {
    summary: `${onCluster(object)}: could not determine whether it was created`,
    details: phrase`The server did not answer the write, which may still take effect. The object is in
      the state, marked as tainted: the next apply checks whether it exists, and creates it again.`,
  };
}

/** Returns the name of an object in messages: `ACL policy "ops" on cluster "us"`. */
export function onCluster({ title, location }: Pick<Subject, 'title' | 'location'>): string {
  return `${title} on cluster ${JSON.stringify(location.cluster)}`;
}

/** Passes on a warning of the server. */
export function serverWarns(subject: Pick<Subject, 'title' | 'location'>, warning: string): LocatedMessage {
  return { summary: `${onCluster(subject)}: the server warns`, details: warning };
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns a text as a string of Terraform's language, in which `${` and `%{` have to be escaped.
 */
function hclQuoted(text: string): string {
  return JSON.stringify(text).replace(/[$%](?=\{)/g, '$&$&');
}

/** The operation that failed. */
export interface FailedOperation {
  /** The verb that follows `cannot`: `read`, `create`. */
  readonly verb: string;
  readonly definition: Subject['definition'];
  /** The object of the call: `ACL policy "ops"`. */
  readonly title: string;
  readonly cluster: string;
  /** The namespace of the login, for calls that are only served in the root namespace. */
  readonly loginNamespace?: string;
}

/** The reason of a failed call in one short phrase, for the first line. */
const REASONS: Readonly<Record<VaultErrorCode, string>> = {
  invalid_options: 'the settings of the cluster are not valid',
  invalid_request: 'the server refused the request',
  invalid_token: 'the token is not valid',
  denied: 'permission denied',
  login_refused: 'the login was refused',
  namespaces_unsupported: 'the server has no namespaces',
  not_found: 'the object does not exist',
  namespace_missing: 'the namespace that it is in does not exist',
  unsupported_path: 'the server does not support this',
  unsupported_operation: 'the server does not support this',
  state_not_present: 'the node has not caught up',
  too_large: 'the request is too large',
  locked: 'the user or the namespace is locked',
  rate_limited: 'too many requests',
  sealed: 'the server is sealed',
  no_active_node: 'the cluster has no active node',
  catching_up: 'the secondary does not have all data yet',
  unavailable: 'the server is unavailable',
  activation_token_refused: 'the primary refused the activation token',
  primary_not_reached: 'the secondary could not reach the primary',
  not_implemented: 'the server does not implement this',
  server_error: 'the server failed',
  unexpected_answer: 'the answer is not from a Vault server',
  redirect_refused: 'the redirect is not allowed',
  unreachable: 'the server cannot be reached',
  connection_lost: 'the connection was lost',
  wrong_scheme: 'wrong protocol: http instead of https, or https instead of http',
  tls_not_trusted: "the server's certificate is not trusted",
  tls_wrong_host: "the server's certificate is for a different host",
  tls_client_certificate: 'the client certificate is missing or refused',
  tls_failed: 'TLS failed',
  timeout: 'no answer in time',
  aborted: 'stopped',
  closed: 'stopped',
};

export function reasonOf({ code, errors }: VaultError): string {
  const policy = refusingPolicyOf({ errors });
  return policy === undefined ? REASONS[code] : `${policy} refuses it`;
}

/** Returns the EGP or RGP that refused a call, such as `EGP "root/hours"`. */
export function refusingPolicyOf({ errors }: Pick<VaultError, 'errors'>): string | undefined {
  return refusingPolicyIn(errors.join('\n'));
}

/** The codes of failures whose cause may be in the settings of the cluster. */
const BLAMES_SETTINGS: ReadonlySet<VaultErrorCode> = new Set([
  'invalid_options',
  'invalid_token',
  'denied',
  'login_refused',
  'unexpected_answer',
  'unreachable',
  'wrong_scheme',
  'tls_not_trusted',
  'tls_wrong_host',
  'tls_client_certificate',
  'timeout',
]);

/**
 * The message about a failed call: the action that failed and why, the client's full report with
 * its cure, the request, and additions of this provider.
 */
export function callFailed(error: VaultError, attempt: FailedOperation): MessageError {
  const { verb, title, cluster } = attempt;
  return new MessageError(
    {
      summary: `cannot ${verb} ${title} on cluster ${JSON.stringify(cluster)}: ${reasonOf(error)}`,
      details: [
        upperFirst(error.message),
        ...requestOf(error),
        ...namespaceOf(error, attempt),
        ...rulesOf(error),
      ],
      ...cureOf(error, attempt),
    },
    { cause: error },
  );
}

/** Returns the line about the request; empty if none was sent. */
function requestOf({ code, method, path, status, attempts }: VaultError): string[] {
  if (method === undefined) return [];
  const unanswered = code === 'unexpected_answer' ? 'answered' : 'no answer';
  const answer = status === undefined ? unanswered : `status ${status}`;
  const tries = attempts === 1 ? 'once' : `${attempts} times`;
  return [`Request: ${method} /v1/${path} (${answer}, tried ${tries}).`];
}

/** The rules that a refused call needs, and the other calls on the same path. */
function rulesOf({ code, errors, method, path, namespace = '' }: VaultError): readonly string[] {
  if (code !== 'denied' || method === undefined || path === undefined) return [];
  if (refusingPolicyOf({ errors }) !== undefined) return [];
  return rulesFor(accessToCall(method, path), namespace);
}

/**
 * Returns the hint that the login is in another namespace: servers refuse tokens of a namespace in
 * the root namespace as if they lacked the right.
 */
function namespaceOf({ code }: VaultError, { cluster, loginNamespace = '' }: FailedOperation): string[] {
  if (loginNamespace === '' || (code !== 'denied' && code !== 'invalid_token')) return [];
  return [
    `This call is only served in the root namespace, and the login of cluster ${JSON.stringify(cluster)} is in the namespace ` +
      `${JSON.stringify(loginNamespace)}: log in in the root namespace.`,
  ];
}

function cureOf(
  { code, errors }: VaultError,
  { verb, definition, cluster }: FailedOperation,
): { readonly cures?: string } {
  const { title, edition, restricted } = definition;
  const name = JSON.stringify(cluster);
  if (code === 'unsupported_path' && edition === 'enterprise') {
    const where = restricted ? ', and that the namespace is the root or the administrative one' : '';
    return {
      cures: `check that cluster ${name} runs the Enterprise edition, which every ${title} requires${where}.`,
    };
  }
  if (code === 'namespace_missing' && verb === 'create') {
    return {
      cures:
        `if this configuration creates the namespace, refer to it, so that it is created first: ` +
        `namespace = ${PROVIDER_NAME}_namespace.NAME.path_fq`,
    };
  }
  if (!BLAMES_SETTINGS.has(code) || refusingPolicyOf({ errors })) return {};
  return {
    cures:
      `check the settings of cluster ${name}: those in clusters of the provider's configuration, ` +
      `then the variables ${environmentPrefix(cluster)}*, then VAULT_* if it is the only cluster.`,
  };
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
