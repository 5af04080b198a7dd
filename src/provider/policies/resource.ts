import { objectTitle, policyText, type ObjectDefinition } from '../../model';
import { definitions, isKnown, UNKNOWN, type attribute, type Resource } from '../../plugin';
import type { Clusters } from '../clusters';
import {
  identityOf,
  importedObject,
  isUnconfirmed,
  locationOf,
  nothingToImport,
  refuseExisting,
  reportFindings,
  resourceFields,
  resourceIdentity,
  resourceLocation,
  writeNew,
} from '../objects';
import { fieldsOf, holds, storedPolicy, type PolicyKind } from './kind';
import { overwritesPermanent, permanentStays } from './messages';

const { resource } = definitions<Clusters>();

/** The resource of one kind of policy. */
export function policyResource(kind: PolicyKind): Resource<Clusters> {
  const { definition } = kind;

  return resource<PolicyAttributes>({
    name: definition.name,
    schema: { description: definition.doc, attributes: policyAttributes(definition) },
    identity: resourceIdentity,

    validate({ config }, { diagnostics }) {
      reportFindings(definition, config, diagnostics);
    },

    modifyPlan({ config, state, plan }, { provider, diagnostics, requireReplace }) {
      const { name, namespace, policy } = plan;
      const title = objectTitle(definition, isKnown(name) ? name : undefined);
      const cluster = provider.nameOf(config.cluster, title);
      if (state === null && name === kind.permanent) diagnostics.warning(...overwritesPermanent(title));
      if (state !== null && cluster !== state.cluster) requireReplace(['cluster']);
      const located = isKnown(cluster) && isKnown(namespace) && isKnown(name);
      return {
        ...plan,
        cluster,
        id: located ? locationOf(identityOf({ cluster, namespace, name })).id : UNKNOWN,
        policy: state !== null && isKnown(policy) && sameText(policy, state.policy) ? state.policy : policy,
      };
    },

    planDestroy({ state }, { diagnostics }) {
      const title = objectTitle(definition, state.name);
      if (state.name === kind.permanent) diagnostics.warning(...permanentStays(title));
    },

    async create({ config, plan }, context) {
      const title = objectTitle(definition, plan.name);
      const cluster = context.provider.knownNameOf(config.cluster, title, context);
      const identity = identityOf({ ...plan, cluster });
      const state = { ...plan, ...locationOf(identity), namespace: plan.namespace };
      const fields = fieldsOf(kind, plan);

      const policy = storedPolicy(kind, identity, context);
      if (plan.name !== kind.permanent) await refuseExisting(policy);
      await writeNew(policy, { fields, holds: (stored) => holds(stored, fields), state }, context);
      return state;
    },

    async read({ state }, context) {
      const policy = storedPolicy(kind, identityOf(state), context);
      const stored = await policy.read();
      if (isImported(state)) {
        if (!stored) throw nothingToImport(policy.subject);
        return { ...state, ...fieldsOf(kind, stored) };
      }
      if (!stored || (isUnconfirmed(context) && !holds(stored, fieldsOf(kind, state)))) return null;
      return {
        ...state,
        ...fieldsOf(kind, stored),
        policy: sameText(state.policy, stored.policy) ? state.policy : stored.policy,
      };
    },

    async update({ state, plan }, context) {
      const identity = identityOf(state);
      await storedPolicy(kind, identity, context).write('update', fieldsOf(kind, plan));
      return { ...plan, ...locationOf(identity), namespace: plan.namespace };
    },

    async delete({ state }, context) {
      const policy = storedPolicy(kind, identityOf(state), context);
      if (state.name === kind.permanent) context.diagnostics.warning(...permanentStays(policy.subject.title));
      else await policy.delete();
    },

    import(request, context) {
      return locationOf(importedObject(request, definition, context));
    },
  });
}

type Text = ReturnType<typeof attribute<string, true>>;
type PolicyAttributes = typeof resourceLocation & { readonly name: Text; readonly policy: Text };

/** The attributes of a policy. The type leaves out those that only some kinds have. */
function policyAttributes(definition: ObjectDefinition): PolicyAttributes {
  return {
    ...resourceLocation,
    ...(resourceFields(definition) as Pick<PolicyAttributes, 'name' | 'policy'>),
  };
}

/** Before it was read, an imported policy has nothing but its location. */
function isImported(state: { readonly policy: string | null }): boolean {
  return state.policy === null;
}

/** Whether two texts stand for the same document, in base64 or not. */
function sameText(a: string, b: string): boolean {
  return policyText(a) === policyText(b);
}
