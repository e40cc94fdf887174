import type { JobEntry } from '../../../../ci-config/entries/job.js'
import { namesIn } from '../../../../ci-config/expressions/expression.js'
import type { PipelineContext } from '../../../../ci-config/plan.js'
import type { JobDecision } from '../../../../ci-config/planning/select-job.js'
import type { SelectionObserver } from '../../../../ci-config/planning/selection-observer.js'
import type { Clauses, EvaluatedRule } from '../../../../ci-config/selection/clauses.js'
import type { VariableCollection } from '../../../../ci-config/variables/variable-collection.js'

/** Longer values are cut, in characters. */
const MAX_CHARACTERS = 200

/** A variable of a condition, as it was when the condition was evaluated. */
export interface SeenVariable {
  name: string
  isSet: boolean
  /** Null for a variable that is not set, and for one from the settings, which may be secret. */
  value: string | null
}

export interface ExplainedRules {
  evaluated: readonly EvaluatedRule[]
  variables: SeenVariable[]
}

export interface ExplainedJob {
  job: JobEntry
  decision: JobDecision
  variables: SeenVariable[]
}

/** Collects why each job is in the pipeline of an event, or why it is not. */
export class Explanation implements SelectionObserver {
  readonly jobs: ExplainedJob[] = []
  /** Absent if the workflow has no rules. */
  workflowRules?: ExplainedRules
  private readonly settings: ReadonlySet<string>

  constructor({ variables }: PipelineContext) {
    this.settings = new Set(variables.settings.map(({ key }) => key))
  }

  workflow(rules: readonly Clauses[], evaluated: readonly EvaluatedRule[], seen: VariableCollection): void {
    this.workflowRules = { evaluated, variables: this.variablesOf(rules, evaluated, seen) }
  }

  job(job: JobEntry, decision: JobDecision, seen: VariableCollection): void {
    const variables = this.variablesOf(job.rules ?? [], decision.evaluated ?? [], seen)
    this.jobs.push({ job, decision, variables })
  }

  /** The variables in the conditions of the rules that were evaluated. */
  private variablesOf(
    rules: readonly Clauses[],
    { length }: readonly EvaluatedRule[],
    seen: VariableCollection,
  ): SeenVariable[] {
    const names = new Set(
      rules
        .slice(0, length)
        .flatMap(({ if: expression }) => (expression ? namesIn(expression, 'variable') : [])),
    )
    return [...names].map((name) => {
      const value = seen.get(name)
      const isShown = value !== undefined && !this.settings.has(name)
      return { name, isSet: value !== undefined, value: isShown ? value.slice(0, MAX_CHARACTERS) : null }
    })
  }
}
