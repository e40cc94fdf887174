import type { RefPolicy } from '../entries/ref-policy.js'
import { holds } from '../expressions/holds.js'
import type { PipelineContext } from '../plan.js'
import { changesHold } from '../selection/changes.js'
import { type ClauseScope, operandsOf } from '../selection/clauses.js'
import { fitsRefPattern, type RefPattern } from '../selection/ref-pattern.js'

/** The facts for evaluating `only` and `except`. */
export interface PolicyScope extends ClauseScope {
  context: PipelineContext
}

/** A job without policies runs for branches and tags (CI language, 7.1). */
export const DEFAULT_ONLY: RefPolicy = { refs: [{ text: 'branches' }, { text: 'tags' }] }

/** A condition of `only` that does not match, or one of `except` that matches. */
export interface RefusingPolicy {
  policy: 'only' | 'except'
  key: keyof RefPolicy
}

/**
 * What keeps a job out of the pipeline: all conditions of `only` and none of `except` must match (CI language, 7.7).
 */
export async function refusingPolicy(
  only: RefPolicy | undefined,
  except: RefPolicy | undefined,
  scope: PolicyScope,
): Promise<RefusingPolicy | undefined> {
  for (const { key, holds: condition } of only ? conditionsOf({ ...DEFAULT_ONLY, ...only }, scope) : []) {
    if (!(await condition())) return { policy: 'only', key }
  }
  for (const { key, holds: condition } of except ? conditionsOf(except, scope) : []) {
    if (await condition()) return { policy: 'except', key }
  }
  return undefined
}

interface Condition {
  key: keyof RefPolicy
  holds: () => boolean | Promise<boolean>
}

/** One condition for each key that is set; those that need file lists come last. */
function conditionsOf(policy: RefPolicy, scope: PolicyScope): Condition[] {
  const { refs, kubernetes, variables, changes } = policy
  const conditions: Condition[] = []
  if (refs) conditions.push({ key: 'refs', holds: () => fitsAny(refs, scope.context) })
  // No cluster can be attached to a project.
  if (kubernetes) conditions.push({ key: 'kubernetes', holds: () => false })
  if (variables) {
    const operands = operandsOf(scope)
    conditions.push({
      key: 'variables',
      holds: () => variables.some((expression) => holds(expression, operands)),
    })
  }
  if (changes) {
    conditions.push({ key: 'changes', holds: () => changesHold({ paths: changes }, scope.files) })
  }
  return conditions
}

function fitsAny(refs: readonly RefPattern[], context: PipelineContext): boolean {
  return refs.some((pattern) => fitsRefPattern(pattern, context))
}
