import type { ExplainedEvent } from '../../../coordinator/ci/lint/schema.js'

type ExplainedJob = ExplainedEvent['jobs'][number]
type Rule = ExplainedJob['rules'][number]
type Variable = ExplainedJob['variables'][number]

/** What decided about a job, in a few words. */
export function decisionWords({ reason, policy, rules, included }: ExplainedJob): string {
  switch (reason) {
    case 'rule':
      return `rule ${rules.length}: ${ruleWords(rules.at(-1))}${included ? '' : ', when: never'}`
    case 'no_rule':
      return rules.length === 1 ? 'its rule does not match' : `none of its ${rules.length} rules matches`
    case 'only':
      return `only: ${policy ?? 'refs'} does not match`
    case 'except':
      return `except: ${policy ?? 'refs'} matches`
    case 'no_condition':
      return 'no condition'
  }
}

/** The conditions of a rule; one without any matches always. */
export function ruleWords(rule: Rule | undefined): string {
  return rule === undefined || rule.condition === '' ? 'always' : rule.condition
}

/** The value of a variable. Values from settings are not known here. */
export function valueWords({ is_set: isSet, value }: Variable): string {
  if (!isSet) return 'not set'
  if (value === null) return 'set in the settings'
  return value === '' ? 'empty' : value
}
