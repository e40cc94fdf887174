import type { JobEntry } from '../entries/job.js'
import type { Rule } from '../entries/rules.js'
import { firstMatch } from '../selection/clauses.js'
import { DEFAULT_ONLY, policiesAllow, type PolicyScope } from './policies.js'

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

/** Undefined if the job is not in the pipeline of this event (CI language, 7.1). Throws `RuleError`. */
export async function selectJob(job: JobEntry, scope: SelectionScope): Promise<JobEffects | undefined> {
  if (job.rules) return effectsOf(await firstMatch(job.rules, scope))
  const only = job.only ?? (scope.hasWorkflowRules ? undefined : DEFAULT_ONLY)
  return (await policiesAllow(only, job.except, scope)) ? {} : undefined
}

function effectsOf(rule: Rule | undefined): JobEffects | undefined {
  if (!rule || rule.when === 'never') return undefined
  const { if: _if, changes: _changes, exists: _exists, when, ...effects } = rule
  return { ...effects, ...(when && { when }) }
}
