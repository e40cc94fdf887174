import { allowedValue } from '../entries/allowed-values.js'
import { readChanges, readExists, readIf } from '../entries/clauses.js'
import { Location } from '../entries/location.js'
import { readMapEntry } from '../entries/map-entry.js'
import type { Reader } from '../entries/reader.js'
import { ConfigError, invalid, type Problem, RuleError } from '../errors.js'
import { type Clauses, clausesHold } from '../selection/clauses.js'
import type { KnownFiles } from '../selection/known-files.js'
import { type ConfigValue, isList, isMap } from '../yaml/config-value.js'
import type { FileContext } from './file-context.js'
import type { IncludeItem } from './include-item.js'

interface IncludeRule extends Clauses {
  when?: 'never' | 'always'
}

/**
 * Whether the entry is included: the first matching rule decides, and without a match it is not (CI language,
 * 4.4).
 */
export async function isIncluded(
  { map, path }: IncludeItem,
  context: FileContext,
  files: KnownFiles,
): Promise<boolean> {
  const value = map.get('rules') ?? null
  if (value === null) return true
  const scope = { variables: context.variables, files, ...(context.commit && { commit: context.commit }) }
  for (const [index, rule] of readRules(value, [...path, 'rules']).entries()) {
    if (await ruleHolds(rule, scope, [...path, 'rules', String(index)])) return rule.when !== 'never'
  }
  return false
}

async function ruleHolds(
  rule: IncludeRule,
  scope: Parameters<typeof clausesHold>[1],
  at: readonly string[],
): Promise<boolean> {
  try {
    return await clausesHold(rule, scope)
  } catch (error) {
    if (error instanceof RuleError) throw invalid(`include:${error.message}`, at)
    throw error
  }
}

function readRules(value: ConfigValue, at: readonly string[]): IncludeRule[] {
  const problems: Problem[] = []
  const location = Location.at(at, 'include:rules', problems)
  if (!isList(value) || !value.every(isMap)) throw invalid('include rules should be an array of hashes', at)
  const rules = value.map((map, index) => readRule(map, location.item('rule', [String(index)])))
  if (problems.length > 0) throw new ConfigError(problems)
  return rules.filter((rule) => rule !== null)
}

const readRule: Reader<IncludeRule> = (value, location) =>
  isMap(value) && value.size > 0
    ? readMapEntry(includeRuleShape, value, location)
    : location.refuse("can't be blank")

export const includeRuleShape = {
  attributes: { if: readIf, when: allowedValue(['never', 'always'] as const) },
  children: { changes: readChanges, exists: readExists },
}
