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

/** Whether all conditions of `only` and none of `except` match (CI language, 7.7). */
export async function policiesAllow(
  only: RefPolicy | undefined,
  except: RefPolicy | undefined,
  scope: PolicyScope,
): Promise<boolean> {
  for (const condition of only ? conditionsOf({ ...DEFAULT_ONLY, ...only }, scope) : []) {
    if (!(await condition())) return false
  }
  for (const condition of except ? conditionsOf(except, scope) : []) {
    if (await condition()) return false
  }
  return true
}

type Condition = () => boolean | Promise<boolean>

/** One condition for each key that is set; those that need file lists come last. */
function conditionsOf(policy: RefPolicy, scope: PolicyScope): Condition[] {
  const { refs, kubernetes, variables, changes } = policy
  const conditions: Condition[] = []
  if (refs) conditions.push(() => fitsAny(refs, scope.context))
  // No cluster can be attached to a project.
  if (kubernetes) conditions.push(() => false)
  if (variables) {
    const operands = operandsOf(scope)
    conditions.push(() => variables.some((expression) => holds(expression, operands)))
  }
  if (changes) conditions.push(() => changesHold({ paths: changes }, scope.files))
  return conditions
}

function fitsAny(refs: readonly RefPattern[], context: PipelineContext): boolean {
  return refs.some((pattern) => fitsRefPattern(pattern, context))
}
