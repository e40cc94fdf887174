import {
  branchOrTag,
  isLongRefName,
  isObjectId,
  MAX_REF_NAME_BYTES,
  type RefKind,
  ZERO_ID,
} from '../../../../git/names.js'
import { matchesRefPattern } from '../../../../git/ref-pattern.js'
import { MAINTAINER } from '../../../access/access-levels.js'
import type { RefChange } from '../../../database/tables/repositories.js'
import type { PushRuleRow } from '../../push-rule-store.js'
import type { ProtectedRef } from '../store.js'
import { branchNameProblem } from './commit-rules.js'

export interface PushSituation {
  changes: RefChange[]
  /** Access level of the pusher in the project; at least developer. */
  accessLevel: number
  protectedRefs: ProtectedRef[]
  defaultBranch: string | null
  /** The push rule of the project, if it has one. */
  pushRule?: PushRuleRow | undefined
}

export const FORCE_PUSH_REFUSED =
  'You are not allowed to force push code to a protected branch on this project.'

/**
 * Other refs belong to the coordinator, or change the content that git finds in the repository, like `refs/replace/`.
 */
const PUSHABLE = ['refs/heads/', 'refs/tags/', 'refs/notes/']

/** Reasons to refuse this push, one sentence each; empty if it is allowed (API, B). */
export function refusalsOf(situation: PushSituation): string[] {
  const reasons = situation.changes.map((change) => refusalOf(change, situation))
  return [...new Set(reasons.filter((reason) => reason !== undefined))]
}

/**
 * Full names of the branches that this push may only fast-forward. This can be checked only when git has the
 * new commits, so a hook checks them then.
 */
export function forwardOnlyRefs(situation: PushSituation): string[] {
  return situation.changes
    .filter(({ before, after }) => before !== ZERO_ID && after !== ZERO_ID)
    .filter(({ ref }) => {
      const rules = rulesFor(ref, situation)
      return ref.startsWith('refs/heads/') && rules.length > 0 && !rules.some((rule) => rule.allow_force_push)
    })
    .map(({ ref }) => ref)
}

/** The changes of branches whose files with owners may be changed by merge requests only. */
export function changesForOwners(situation: PushSituation): RefChange[] {
  return situation.changes.filter(
    (change) =>
      change.ref.startsWith('refs/heads/') &&
      change.before !== ZERO_ID &&
      change.after !== ZERO_ID &&
      rulesFor(change.ref, situation).some((rule) => rule.code_owner_approval_required),
  )
}

function refusalOf(change: RefChange, situation: PushSituation): string | undefined {
  if (change.after !== ZERO_ID) {
    const refusal = nameRefusal(change.ref)
    if (refusal !== undefined) return refusal
  }
  if (!PUSHABLE.some((prefix) => change.ref.startsWith(prefix))) {
    return `You are not allowed to push to ${change.ref}: only refs below ${PUSHABLE.join(', ')} can be pushed.`
  }
  const byPushRule = pushRuleRefusal(change, situation)
  if (byPushRule !== undefined) return byPushRule
  if (change.ref.startsWith('refs/heads/')) return branchRefusal(change, situation)
  if (change.ref.startsWith('refs/tags/')) return tagRefusal(change, situation)
  return undefined
}

function pushRuleRefusal(
  { ref, before, after }: RefChange,
  { pushRule, defaultBranch }: PushSituation,
): string | undefined {
  const target = branchOrTag(ref)
  if (!pushRule || !target) return undefined
  if (target.kind === 'tag') {
    const isDenied = pushRule.deny_delete_tag && after === ZERO_ID
    return isDenied ? 'You cannot delete a tag of this project (push rule deny_delete_tag).' : undefined
  }
  const isNew = before === ZERO_ID && after !== ZERO_ID && target.name !== defaultBranch
  return isNew ? branchNameProblem(target.name, pushRule) : undefined
}

/**
 * Refuses names that are too long for a file, or that could be read as an object ID, as `HEAD` or as the full
 * name of another ref.
 */
function nameRefusal(ref: string): string | undefined {
  const target = branchOrTag(ref)
  if (target && isObjectId(target.name)) {
    return `You cannot create a ${target.kind} with a 40-character hexadecimal ${target.kind} name.`
  }
  if (target && isLongRefName(target.name)) {
    return `You cannot create a ${target.kind} with a name of more than ${MAX_REF_NAME_BYTES} bytes.`
  }
  if (target?.name === 'HEAD') return `You cannot create a ${target.kind} named HEAD.`
  // Git resolves a missing branch `x` to the tag `refs/heads/x`.
  if (/^refs\/(heads|tags)\/refs\//.test(ref)) {
    return `You cannot create ${ref}: the name of a branch or tag must not begin with refs/.`
  }
  return undefined
}

function branchRefusal(change: RefChange, situation: PushSituation): string | undefined {
  const rules = rulesFor(change.ref, situation)
  if (change.after === ZERO_ID) return branchDeletionRefusal(change, rules, situation)
  if (rules.length > 0 && !isAllowed(rules, situation.accessLevel)) {
    return 'You are not allowed to push code to protected branches on this project.'
  }
  return undefined
}

function branchDeletionRefusal(change: RefChange, rules: ProtectedRef[], situation: PushSituation) {
  if (branchOrTag(change.ref)?.name === situation.defaultBranch) {
    return 'The default branch of a project cannot be deleted.'
  }
  if (rules.length > 0 && situation.accessLevel < MAINTAINER) {
    return (
      'You are not allowed to delete protected branches from this project. ' +
      'Only a project maintainer or owner can delete a protected branch.'
    )
  }
  return undefined
}

function tagRefusal(change: RefChange, situation: PushSituation): string | undefined {
  const rules = rulesFor(change.ref, situation)
  if (change.before === ZERO_ID) {
    const isRefused = rules.length > 0 && !isAllowed(rules, situation.accessLevel)
    return isRefused ? 'You are not allowed to create this tag as it is protected.' : undefined
  }
  const isDeletion = change.after === ZERO_ID
  if (rules.length > 0) return `Protected tags cannot be ${isDeletion ? 'deleted' : 'updated'}.`
  if (!isDeletion && situation.accessLevel < MAINTAINER) {
    return 'You are not allowed to change existing tags on this project.'
  }
  return undefined
}

function rulesFor(ref: string, { protectedRefs }: PushSituation): ProtectedRef[] {
  const target = branchOrTag(ref)
  return target ? rulesOf(protectedRefs, target.kind, target.name) : []
}

/** Rules that match a branch or tag. */
export function rulesOf<Rule extends Pick<ProtectedRef, 'kind' | 'name'>>(
  rules: Rule[],
  kind: RefKind,
  name: string,
): Rule[] {
  return rules.filter((rule) => rule.kind === kind && matchesRefPattern(rule.name, name))
}

/** If several rules match, the most permissive one applies. */
export function isAllowed(rules: ProtectedRef[], accessLevel: number): boolean {
  return rules.some(
    (rule) => rule.namesPusher || (rule.push_access_level > 0 && accessLevel >= rule.push_access_level),
  )
}
