import { stageOf } from '../../../ci-config/checks/check-jobs.js'
import { writtenName } from '../../../ci-config/entries/job.js'
import { flatItems } from '../../../ci-config/entries/simple-values.js'
import type { EvaluatedRule } from '../../../ci-config/selection/clauses.js'
import { dataOf } from '../../../ci-config/yaml/config-data.js'
import { type ConfigMap, type ConfigValue, isList, isMap } from '../../../ci-config/yaml/config-value.js'
import { withLocation } from '../../../ci-config/yaml/located.js'
import type { ExplainedJob, Explanation, SeenVariable } from '../engine/create/explanation.js'
import type { LintInspection } from '../engine/create/lint-config.js'
import type { ExplainedEvent, ExplainedRule, LintedVariable } from './schema.js'

/** Why each job is in the pipeline of the event, or why it is not. */
export function presentExplanation(
  { merged, result }: LintInspection,
  { jobs, workflowRules }: Explanation,
): ExplainedEvent {
  return {
    outcome: result.kind === 'plan' ? 'pipeline' : result.kind === 'checked' ? 'invalid' : result.kind,
    workflow: workflowRules
      ? {
          rules: presentRules(merged, ['workflow', 'rules'], workflowRules.evaluated),
          variables: workflowRules.variables.map(presentVariable),
        }
      : null,
    jobs: jobs.map((explained) => presentJob(merged, explained)),
  }
}

function presentJob(
  merged: ConfigMap | undefined,
  { job, decision, variables }: ExplainedJob,
): ExplainedEvent['jobs'][number] {
  const { effects, evaluated, refusing } = decision
  return {
    name: job.name,
    stage: stageOf(job),
    included: effects !== undefined,
    when: effects ? (effects.when ?? job.when ?? 'on_success') : null,
    reason: reasonOf(decision),
    policy: refusing ? refusing.key : null,
    rules: evaluated ? presentRules(merged, [writtenName(job), 'rules'], evaluated) : [],
    variables: variables.map(presentVariable),
  }
}

function reasonOf({
  evaluated,
  refusing,
}: ExplainedJob['decision']): ExplainedEvent['jobs'][number]['reason'] {
  if (evaluated) return evaluated.at(-1) === null ? 'rule' : 'no_rule'
  return refusing ? refusing.policy : 'no_condition'
}

/** The rules at a path of the merged file, as far as they were evaluated. */
function presentRules(
  merged: ConfigMap | undefined,
  path: readonly string[],
  evaluated: readonly EvaluatedRule[],
): ExplainedRule[] {
  const list = merged && path.reduce<ConfigValue | undefined>(childOf, merged)
  const items = isList(list) ? flatItems(list) : []
  return evaluated.map((failed, index) => {
    const item = items[index]
    const place = { message: '', path: [...path, ...(item?.position ?? [])] }
    const { file = null, line = null } = (merged && withLocation(merged, place).location) ?? {}
    return { condition: conditionOf(item?.value), when: readWhen(item?.value), failed, file, line }
  })
}

function childOf(value: ConfigValue | undefined, key: string): ConfigValue | undefined {
  return isMap(value) ? value.get(key) : undefined
}

const CLAUSES = ['if', 'changes', 'exists']

function conditionOf(rule: ConfigValue | undefined): string {
  if (!isMap(rule)) return ''
  return CLAUSES.flatMap((clause) => {
    const value = rule.get(clause) ?? null
    if (value === null) return []
    const data = dataOf(value)
    return `${clause}: ${typeof data === 'string' ? data : JSON.stringify(data)}`
  }).join('; ')
}

function readWhen(rule: ConfigValue | undefined): string | null {
  const when = isMap(rule) ? rule.get('when') : undefined
  return typeof when === 'string' ? when : null
}

function presentVariable({ name, isSet, value }: SeenVariable): LintedVariable {
  return { name, is_set: isSet, value }
}
