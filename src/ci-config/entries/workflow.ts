import { limits } from '../limits.js'
import type { PlannedAutoCancel, PlannedVariable } from '../plan.js'
import type { Clauses } from '../selection/clauses.js'
import { type ConfigMap, isMap } from '../yaml/config-value.js'
import { allowedValue } from './allowed-values.js'
import { readChanges, readExists, readIf } from './clauses.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { rulesReader } from './rules.js'
import { oneOf, shortString } from './simple-values.js'
import { readPlainVariables } from './variables.js'

/** Whether there is a pipeline, and its name (CI language, 2.4). */
export interface Workflow {
  rules?: WorkflowRule[]
  /** Unexpanded: its variables are expanded after the rules have been evaluated. */
  name?: string
  autoCancel?: Partial<PlannedAutoCancel>
}

/** CI language, 7.6. */
export interface WorkflowRule extends Clauses {
  when?: 'always' | 'never'
  variables?: PlannedVariable[]
  autoCancel?: Partial<PlannedAutoCancel>
  /** Keys that are only valid in job rules and have no effect here. */
  ignored: string[]
}

export const readWorkflow: Reader<Workflow> = (value, location) => {
  if (!isMap(value)) return location.refuse('should be a hash')
  const read = readMapEntry(workflowShape, value, location)
  if (!read) return null
  const { auto_cancel: autoCancel, ...rest } = read
  return { ...rest, ...(autoCancel && { autoCancel }) }
}

/** Accepted for the sake of rules that are shared with jobs. */
const IGNORED = ['start_in', 'allow_failure', 'needs']

const readWorkflowRules = rulesReader((map, location): WorkflowRule | null => {
  const used = new Map([...map].filter(([key]) => !IGNORED.includes(key)))
  const read = readMapEntry(workflowRuleShape, used, location)
  if (!read) return null
  const { auto_cancel: autoCancel, ...rest } = read
  return { ...rest, ...(autoCancel && { autoCancel }), ignored: writtenKeys(map, IGNORED) }
})

function writtenKeys(map: ConfigMap, keys: readonly string[]): string[] {
  return keys.filter((key) => (map.get(key) ?? null) !== null)
}

const readAutoCancel: Reader<Partial<PlannedAutoCancel>> = (value, location) => {
  if (!isMap(value)) return location.refuse('should be a hash')
  const read = readMapEntry(autoCancelShape, value, location)
  if (!read) return null
  const { on_new_commit: onNewCommit, on_job_failure: onJobFailure } = read
  return { ...(onNewCommit && { onNewCommit }), ...(onJobFailure && { onJobFailure }) }
}

function mustBeOneOf<T extends string>(choices: readonly T[]): Reader<T> {
  return oneOf(choices, `must be one of: ${choices.join(', ')}`)
}

export const ON_NEW_COMMIT = ['conservative', 'interruptible', 'none'] as const
export const ON_JOB_FAILURE = ['none', 'all'] as const

export const autoCancelShape = {
  attributes: {
    on_new_commit: mustBeOneOf(ON_NEW_COMMIT),
    on_job_failure: mustBeOneOf(ON_JOB_FAILURE),
  },
  children: {},
}

export const WORKFLOW_WHEN = ['always', 'never'] as const

export const workflowRuleShape = {
  attributes: { if: readIf, when: allowedValue(WORKFLOW_WHEN) },
  children: {
    changes: readChanges,
    exists: readExists,
    variables: readPlainVariables,
    auto_cancel: readAutoCancel,
  },
}

export const workflowShape = {
  attributes: { name: shortString(limits.nameLength) },
  children: { rules: readWorkflowRules, auto_cancel: readAutoCancel },
}
