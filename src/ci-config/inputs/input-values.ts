import { holds } from '../expressions/holds.js'
import type { PatternWork } from '../expressions/pattern-work.js'
import { type ConfigMap, type ConfigValue, isList, NOTHING, scalarText } from '../yaml/config-value.js'
import type { InputChoice, InputSpec } from './input-spec.js'
import { converted, formatValue, inputType, isSame, TYPE_NAMES } from './input-types.js'

/** An input as a form shows it: default and options are those of the first matching rule. */
export interface OfferedInput extends Omit<InputSpec, 'rules'> {
  /** What is wrong with the given value, or with its absence. */
  problem?: string
}

/** Values by name, or the problems of the values that were set. */
export type InputValues = { kind: 'values'; values: ConfigMap } | { kind: 'wrong'; errors: string[] }

/** Checks the values against the declarations of the file and adds the defaults (CI language, 5.2). */
export function inputValues(
  specs: readonly InputSpec[],
  given: ConfigMap,
  patterns: PatternWork,
): InputValues {
  return valuesFor(specs, given, patterns, unknownNames(specs, given))
}

/** Like `inputValues`, without the defaults. */
export function givenValues(
  specs: readonly InputSpec[],
  given: ConfigMap,
  patterns: PatternWork,
): InputValues {
  const asked = specs.filter(({ name }) => given.has(name))
  return valuesFor(asked, given, patterns, unknownNames(specs, given))
}

/** What a form offers for the inputs of a file, after these values were given. */
export function offeredInputs(
  specs: readonly InputSpec[],
  given: ConfigMap,
  patterns: PatternWork,
): OfferedInput[] {
  const values = new Map<string, ConfigValue>()
  const offered = new Map<string, OfferedInput>()
  for (const spec of inOrder(specs)) {
    const { rules: _, ...fields } = spec
    const choice = choiceOf(spec, values, patterns)
    const outcome = valueFor(spec, given.get(spec.name), values, patterns)
    const problem =
      typeof outcome === 'string' ? outcome : outcome.kind === 'unknown-type' ? unknownType(spec) : undefined
    if (typeof outcome === 'object' && outcome.kind === 'value') values.set(spec.name, outcome.value)
    offered.set(spec.name, {
      ...fields,
      ...(choice.default !== undefined && { default: choice.default }),
      ...(choice.options && { options: choice.options }),
      ...(problem !== undefined && { problem }),
    })
  }
  return specs.flatMap(({ name }) => offered.get(name) ?? [])
}

/** What is wrong with the default of an input of a job; undefined if nothing is. */
export function problemOfDefault(spec: InputSpec, patterns: PatternWork): string | undefined {
  const outcome = valueFor(spec, undefined, NOTHING, patterns)
  return typeof outcome === 'string' ? outcome : undefined
}

/** Inputs without rules come first, because rules depend on other inputs. */
function inOrder(specs: readonly InputSpec[]): InputSpec[] {
  return [...specs].sort((one, other) => Number(!!one.rules) - Number(!!other.rules))
}

function valuesFor(
  specs: readonly InputSpec[],
  given: ConfigMap,
  patterns: PatternWork,
  errors: string[],
): InputValues {
  const values = new Map<string, ConfigValue>()
  for (const spec of inOrder(specs)) {
    const outcome = valueFor(spec, given.get(spec.name), values, patterns)
    if (typeof outcome === 'string') errors.push(`\`${spec.name}\` input: ${outcome}`)
    else if (outcome.kind === 'unknown-type') errors.push(unknownType(spec))
    else values.set(spec.name, outcome.value)
  }
  return errors.length > 0 ? { kind: 'wrong', errors } : { kind: 'values', values }
}

function unknownNames(specs: readonly InputSpec[], given: ConfigMap): string[] {
  const known = new Set(specs.map(({ name }) => name))
  const unknown = [...given.keys()].filter((name) => !known.has(name))
  return unknown.length > 0 ? [`unknown input arguments: ${unknown.join(', ')}`] : []
}

function unknownType({ name }: InputSpec): string {
  return `unknown input specification for \`${name}\` (valid types: ${TYPE_NAMES.join(', ')})`
}

type Outcome = { kind: 'value'; value: ConfigValue } | { kind: 'unknown-type' } | string

/** The value, or its problem. */
function valueFor(
  spec: InputSpec,
  given: ConfigValue | undefined,
  others: ConfigMap,
  patterns: PatternWork,
): Outcome {
  if (!inputType(spec.type)) return { kind: 'unknown-type' }
  const choice = choiceOf(spec, others, patterns)
  const isGiven = given !== undefined
  const value = isGiven ? converted(given, spec.type) : choice.default
  if (value === undefined) return 'required value has not been provided'
  const problem =
    misuse(spec, choice) ?? problemWith(value, spec, choice, isGiven ? 'provided' : 'default', patterns)
  return problem ?? { kind: 'value', value }
}

function choiceOf(spec: InputSpec, others: ConfigMap, patterns: PatternWork): InputChoice {
  return spec.rules ? ruledChoice(spec, others, patterns) : spec
}

function ruledChoice({ rules = [] }: InputSpec, others: ConfigMap, patterns: PatternWork): InputChoice {
  const operands = { variable: () => undefined, input: (name: string) => operand(others.get(name)), patterns }
  return rules.find((rule) => !rule.if || holds(rule.if, operands)) ?? {}
}

function operand(value: ConfigValue | undefined): string | boolean | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'boolean' ? value : formatValue(value)
}

function misuse({ type, regex }: InputSpec, { options }: InputChoice): string | undefined {
  if (options && type === 'boolean') return 'Options can only be used with string and number inputs'
  if (regex !== undefined && type !== 'string') return 'RegEx validation can only be used with string inputs'
  return undefined
}

function problemWith(
  value: ConfigValue,
  { type, regex }: InputSpec,
  { options }: InputChoice,
  origin: 'provided' | 'default',
  patterns: PatternWork,
): string | undefined {
  const known = inputType(type)
  if (!known?.accepts(value)) return `${origin} value is not ${known?.shown ?? type}`
  const strange = options && findOutside(options, value)
  if (strange !== undefined) {
    const list = type === 'number' ? 'the list of the allowed options' : 'the list of allowed options'
    return `\`${shown(strange)}\` cannot be used because it is not in ${list}`
  }
  return regex === undefined ? undefined : mismatch(regex, formatValue(value), origin, patterns)
}

/** The value, or the item of a list, that is no option. */
function findOutside(options: readonly ConfigValue[], value: ConfigValue): ConfigValue | undefined {
  const items = isList(value) ? value : [value]
  return items.find((item) => !options.some((option) => isSame(option, item)))
}

function mismatch(
  regex: string,
  text: string,
  origin: 'provided' | 'default',
  patterns: PatternWork,
): string | undefined {
  // The group is needed because a one-character expression would not count as one.
  const parsed = patterns.parse(`/(?:${regex})/`)
  if (parsed === undefined || parsed === 'invalid') return 'invalid regular expression'
  return patterns.test(parsed, text) ? undefined : `${origin} value does not match required RegEx pattern`
}

const SHOWN_CHARACTERS = 200

function shown(value: ConfigValue): string {
  const text = typeof value === 'string' ? value : value === null ? scalarText(value) : formatValue(value)
  return text.slice(0, SHOWN_CHARACTERS)
}
