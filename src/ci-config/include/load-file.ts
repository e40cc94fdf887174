import { readFileSpec } from '../entries/file-spec.js'
import { invalid } from '../errors.js'
import type { PatternWork } from '../expressions/pattern-work.js'
import type { InputSpec } from '../inputs/input-spec.js'
import { inputValues } from '../inputs/input-values.js'
import { interpolate, SHOWN_ERRORS } from '../inputs/interpolate.js'
import { type ConfigMap, type ConfigValue, isMap } from '../yaml/config-value.js'
import type { LoadedConfig } from '../yaml/load-config.js'
import { located } from '../yaml/located.js'
import type { FoundFile } from './found-file.js'

/** Receives the declarations of the inputs of a file and the values given for them, before these are checked. */
export type OnInputs = (specs: readonly InputSpec[], given: ConfigMap) => void

/**
 * The content of one file after interpolation of its inputs (CI language, 1.1, steps 2 and 3); `given` are
 * their values. Throws `ConfigError`.
 */
export async function contentOf(
  { header, content }: LoadedConfig,
  { context, component }: Pick<FoundFile, 'context' | 'component'>,
  given: ConfigValue,
  patterns: PatternWork,
  onInputs?: OnInputs,
): Promise<ConfigMap> {
  if (given !== null && !isMap(given)) throw invalid('Given inputs must be a hash')
  const inputs = given ?? new Map<string, ConfigValue>()
  if (!header) {
    if (inputs.size === 0) return content
    throw invalid('Given inputs not defined in the `spec` section of the included configuration file')
  }
  const spec = await located(header, () => readFileSpec(header))
  onInputs?.(spec.inputs, inputs)
  const values = inputValues(spec.inputs, inputs, patterns)
  if (values.kind === 'wrong') {
    const names = spec.inputs.map(({ name }) => name)
    const words = [...inputs.keys()].filter((name) => !names.includes(name))
    throw invalid(values.errors.slice(0, SHOWN_ERRORS).join(', '), [], undefined, { words, among: names })
  }
  const facts = [...(component ?? [])].filter(([fact]) => spec.component.includes(fact))
  const roots = new Map<string, ConfigValue>([
    ['inputs', values.values],
    ['component', new Map(facts)],
  ])
  return located(content, () =>
    interpolate(content, { roots, expandVariables: (text) => context.expandForInput(text) }),
  )
}
