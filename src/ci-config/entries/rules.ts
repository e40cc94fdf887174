import type { JobWhen, PlannedVariable } from '../plan.js'
import type { Clauses } from '../selection/clauses.js'
import { type ConfigMap, type ConfigValue, isList, isMap, isPresent } from '../yaml/config-value.js'
import { allowedValue } from './allowed-values.js'
import { readChanges, readExists, readIf } from './clauses.js'
import type { Location } from './location.js'
import { readMapEntry } from './map-entry.js'
import { type NeedEntry, readNeeds } from './needs.js'
import type { Reader } from './reader.js'
import { flatItems, readBoolean } from './simple-values.js'
import { readDelay } from './start-in.js'
import { readPlainVariables } from './variables.js'

/** When a job is in the pipeline, and the changes that the rule makes to it (CI language, 7.2). */
export interface Rule extends Clauses {
  when?: JobWhen | 'never'
  /** Seconds; with `when: delayed` only. */
  startIn?: number
  allowFailure?: boolean
  variables?: PlannedVariable[]
  needs?: NeedEntry[]
  interruptible?: boolean
}

/** Reads a list of maps, which may be nested; `read` reads one map. */
export function rulesReader<T>(read: (map: ConfigMap, location: Location) => T | null): Reader<T[]> {
  return (value, location) => {
    if (!isPresent(value)) return location.refuse("can't be blank")
    if (!isList(value)) return location.refuse('should be an array')
    return flatItems(value)
      .map((item) => readOne(item.value, location.item('rule', item.position), read))
      .filter((rule) => rule !== null)
  }
}

/** Reports wrong types of the `rules` of a job at the job, before its other keywords are read. */
export function checkRules(map: ConfigMap, location: Location): void {
  const value = map.get('rules') ?? null
  const wrong = isList(value) ? flatItems(value).find((item) => !isMap(item.value)) : undefined
  if (value === null || (isList(value) && !wrong)) return
  const position = wrong?.position ?? []
  location.attribute('rules').refuse('should be an array containing hashes and arrays of hashes', ...position)
}

function readOne<T>(
  value: ConfigValue,
  location: Location,
  read: (map: ConfigMap, location: Location) => T | null,
): T | null {
  if (!isPresent(value)) return location.refuse("can't be blank")
  return isMap(value) ? read(value, location) : location.refuse('should be a hash')
}

/** Many jobs share rules, and a valid rule is valid everywhere. */
const known = new WeakMap<ConfigMap, Rule>()

export const readRules: Reader<Rule[]> = rulesReader((map, location) => {
  const rule = known.get(map) ?? readRule(map, location)
  if (rule) known.set(map, rule)
  return rule
})

function readRule(map: ConfigMap, location: Location): Rule | null {
  const read = readMapEntry(ruleShape, map, location, checkDelay)
  if (!read) return null
  const { start_in: startIn, allow_failure: allowFailure, ...rest } = read
  return {
    ...rest,
    ...(startIn !== undefined && { startIn }),
    ...(allowFailure !== undefined && { allowFailure }),
  }
}

/** A delay is required with `when: delayed`, and otherwise invalid. */
function checkDelay(map: ConfigMap, location: Location): void {
  const isWritten = (map.get('start_in') ?? null) !== null
  const isDelayed = map.get('when') === 'delayed'
  if (isWritten && !isDelayed) location.refuse('contains disallowed keys: start_in')
  if (isDelayed && !isPresent(map.get('start_in'))) location.attribute('start_in').refuse("can't be blank")
}

export const RULE_WHEN: readonly (JobWhen | 'never')[] = [
  'on_success',
  'on_failure',
  'always',
  'never',
  'manual',
  'delayed',
]

export const ruleShape = {
  attributes: {
    if: readIf,
    when: allowedValue(RULE_WHEN),
    start_in: readDelay,
    allow_failure: readBoolean,
    interruptible: readBoolean,
  },
  children: {
    changes: readChanges,
    exists: readExists,
    variables: readPlainVariables,
    needs: readNeeds,
  },
}
