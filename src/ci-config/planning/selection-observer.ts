import type { JobEntry } from '../entries/job.js'
import type { Clauses, EvaluatedRule } from '../selection/clauses.js'
import type { VariableCollection } from '../variables/variable-collection.js'
import type { JobDecision } from './select-job.js'

/** Receives the decisions of a compilation, to explain them. */
export interface SelectionObserver {
  /** The rules of the workflow, those of them that were evaluated, and the variables that they saw. */
  workflow(rules: readonly Clauses[], evaluated: readonly EvaluatedRule[], seen: VariableCollection): void
  /** A decision about a job, and the variables that its conditions saw. */
  job(job: JobEntry, decision: JobDecision, seen: VariableCollection): void
}
