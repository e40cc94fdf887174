import type { JobEntry } from '../entries/job.js'
import type { Rule } from '../entries/rules.js'
import { type EvaluatedRule, firstMatch } from '../selection/clauses.js'
import { DEFAULT_ONLY, type PolicyScope, refusingPolicy, type RefusingPolicy } from './policies.js'

/** The changes that the matching rule makes to a job (CI language, 7.2). */
export type JobEffects = Omit<Rule, 'if' | 'changes' | 'exists' | 'when'> & {
  when?: Exclude<Rule['when'], 'never'>
}

export interface SelectionScope extends PolicyScope {
  /**
   * If the workflow has rules, it decides about refs too: jobs without conditions are not limited to branches
   * and tags.
   */
  hasWorkflowRules: boolean
}

/** Why a job is in the pipeline of an event, or why it is not. */
export interface JobDecision {
  /** Undefined if the job is not in the pipeline. */
  effects: JobEffects | undefined
  /** The rules that were evaluated, in their order; absent for a job without rules. */
  evaluated?: readonly EvaluatedRule[]
  /** Absent if `only` and `except` allow the job, and for a job with rules. */
  refusing?: RefusingPolicy
}

/** Decides whether the job is in the pipeline of this event (CI language, 7.1). Throws `RuleError`. */
export async function selectJob(job: JobEntry, scope: SelectionScope): Promise<JobDecision> {
  if (job.rules) {
    const evaluated: EvaluatedRule[] = []
    return { effects: effectsOf(await firstMatch(job.rules, scope, evaluated)), evaluated }
  }
  const only = job.only ?? (scope.hasWorkflowRules ? undefined : DEFAULT_ONLY)
  const refusing = await refusingPolicy(only, job.except, scope)
  return refusing ? { effects: undefined, refusing } : { effects: {} }
}

function effectsOf(rule: Rule | undefined): JobEffects | undefined {
  if (!rule || rule.when === 'never') return undefined
  const { if: _if, changes: _changes, exists: _exists, when, ...effects } = rule
  return { ...effects, ...(when && { when }) }
}
