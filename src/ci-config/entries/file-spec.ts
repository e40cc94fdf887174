import { ConfigError, type Problem } from '../errors.js'
import type { Expression } from '../expressions/expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import type { InputChoice, InputRule, InputSpec } from '../inputs/input-spec.js'
import { type ConfigMap, type ConfigValue, isList, isMap } from '../yaml/config-value.js'
import { checkOptionList, inputReaders } from './input-keywords.js'
import { Location } from './location.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { readString, refuseWords, shortString, stringsOf } from './simple-values.js'

/** The header document of a file (CI language, 5.1). */
export interface FileSpec {
  inputs: InputSpec[]
  /** Facts about the component that the file may name in `$[[ component.… ]]`. */
  component: string[]
}

export const COMPONENT_FACTS = ['name', 'sha', 'version', 'reference']

/** Reads the header of a file. Throws `ConfigError` with every problem found. */
export function readFileSpec(header: ConfigMap): FileSpec {
  const problems: Problem[] = []
  const location = Location.top('spec', problems).called('header:spec')
  const value = header.get('spec') ?? null
  const read = isMap(value)
    ? readMapEntry(specShape, value, location)
    : value !== null && location.refuse('should be a hash')
  if (problems.length > 0) throw new ConfigError(problems)
  return { inputs: (read || {}).inputs ?? [], component: (read || {}).component ?? [] }
}

const readInputs: Reader<InputSpec[]> = (value, location) => {
  if (!isMap(value)) return location.refuse('should be a hash')
  return [...value]
    .map(([name, written]) => readInput(name, written, location.child(name)))
    .filter((input) => input !== null)
}

function readInput(name: string, written: ConfigValue, location: Location): InputSpec | null {
  if (written === null) return { name, type: 'string' }
  if (!isMap(written)) return location.refuse('should be a hash')
  const read = readMapEntry(inputShape, written, location, checkInput)
  return (
    read && {
      name,
      type: read.type ?? 'string',
      ...(read.description !== undefined && { description: read.description }),
      ...(read.regex !== undefined && { regex: read.regex }),
      ...(read.rules && { rules: read.rules }),
      ...choiceOf(written),
    }
  )
}

/** A default of null counts as a value, without a type. */
function choiceOf(map: ConfigMap): InputChoice {
  const value = map.get('default')
  const options = map.get('options')
  return { ...(value !== undefined && { default: value }), ...(isList(options) && { options }) }
}

function checkInput(map: ConfigMap, location: Location): void {
  checkOptionList(map, location)
  const besides = ['options', 'default'].filter((key) => map.has('rules') && map.has(key))
  if (besides.length > 0) location.refuse(`these keys cannot be used together: rules, ${besides.join(', ')}`)
}

const readRules: Reader<InputRule[]> = (value, location) => {
  if (!isList(value)) return location.refuse('should be an array of hashes')
  return value
    .map((item, index) => readRule(item, location.item('rule', [String(index)])))
    .filter((rule) => rule !== null)
}

function readRule(item: ConfigValue, location: Location): InputRule | null {
  if (!isMap(item)) return location.refuse('should be a hash')
  const read = readMapEntry(inputRuleShape, item, location, checkOptionList)
  return read && { ...(read.if && { if: read.if }), ...choiceOf(item) }
}

const readIf: Reader<Expression> = (value, location) =>
  (typeof value === 'string' ? parseExpression(value, location.patterns) : undefined) ??
  location.refuse('invalid expression syntax')

const readAnything: Reader<ConfigValue> = (value) => value

const readFacts: Reader<string[]> = (value, location) => {
  const facts = stringsOf(value)
  if (!facts) return location.refuse('should be an array of strings')
  const unknown = facts.filter((fact) => !COMPONENT_FACTS.includes(fact))
  return unknown.length > 0 ? refuseWords(unknown, facts, COMPONENT_FACTS, location) : facts
}

export const inputRuleShape = {
  attributes: { if: readIf, options: inputReaders.options, default: readAnything },
  children: {},
}

export const inputShape = {
  attributes: { type: readString, default: readAnything, ...inputReaders },
  children: { rules: readRules },
  prefix: 'input',
}

export const specShape = {
  attributes: { description: shortString(256) },
  children: { inputs: readInputs, component: readFacts },
  // Its files were merged before the header is read.
  refused: ['include'],
}
