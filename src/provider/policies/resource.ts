import { objectTitle, policyText, type ObjectDefinition } from '../../model';
import { definitions, isKnown, UNKNOWN, type attribute, type Resource } from '../../plugin';
import type { Clusters } from '../clusters';
import {
  identityOf,
  importedObject,
  locationOf,
  reportFindings,
  resourceFields,
  resourceIdentity,
  resourceLocation,
} from '../objects';
import { PROVIDER_NAME } from '../about';
import { writeNew } from './create';
import { fieldsOf, holds, type PolicyKind } from './kind';
import {
  existsAlready,
  nothingToImport,
  outcomeUnknown,
  overwritesPermanent,
  permanentStays,
} from './messages';
import { StoredPolicy } from './stored-policy';

const { resource } = definitions<Clusters>();

/** In the private state of a policy of which it is not known whether it was created. */
const UNCONFIRMED = 'unconfirmed';

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
      const policy = new StoredPolicy(kind, identityOf({ ...plan, cluster }), context);
      const state = { ...plan, ...locationOf(policy.identity), namespace: plan.namespace };

      if (plan.name !== kind.permanent && (await policy.read('create'))) {
        throw existsAlready(policy, `${PROVIDER_NAME}_${definition.name}`);
      }
      await writeNew(policy, fieldsOf(kind, plan), () => {
        context.keep(state);
        context.privateState.set(UNCONFIRMED, true);
        context.diagnostics.warning(...outcomeUnknown(policy));
      });
      return state;
    },

    async read({ state }, context) {
      const policy = new StoredPolicy(kind, identityOf(state), context);
      const stored = await policy.read();
      if (isImported(state)) {
        if (!stored) throw nothingToImport(policy);
        return { ...state, ...stored };
      }
      // What may not have been created is not taken for what somebody else created meanwhile.
      const unconfirmed = context.privateState.get(UNCONFIRMED) === true;
      if (!stored || (unconfirmed && !holds(stored, fieldsOf(kind, state)))) return null;
      return {
        ...state,
        ...stored,
        policy: sameText(state.policy, stored.policy) ? state.policy : stored.policy,
      };
    },

    async update({ state, plan }, context) {
      const policy = new StoredPolicy(kind, identityOf(state), context);
      await policy.write('update', fieldsOf(kind, plan));
      return { ...plan, ...locationOf(policy.identity), namespace: plan.namespace };
    },

    async delete({ state }, context) {
      const policy = new StoredPolicy(kind, identityOf(state), context);
      if (state.name === kind.permanent) context.diagnostics.warning(...permanentStays(policy.title));
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
