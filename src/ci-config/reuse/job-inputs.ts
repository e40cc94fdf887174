import { textOf } from '../inputs/input-types.js'
import { ExpansionBudget } from '../variables/expansion-budget.js'
import { type ConfigMap, type ConfigValue, isList, isMap } from '../yaml/config-value.js'

/** Keywords in which inputs are put in (runner protocol, 2.13). */
const KEYWORDS: ReadonlySet<string> = new Set(
  'before_script script after_script hooks image services artifacts cache'.split(' '),
)

const BLOCK = /\$\{\{\s*job\.inputs\.(?<name>[\w-]+)\s*\}\}/g

/**
 * Puts the default of each input in the place of `${{ job.inputs.NAME }}` inside its job (CI language, 5.4). Names that
 * are no input of the job, and what is not right about the inputs, are left for the one who reads the job.
 */
export function substituteJobInputs(root: ConfigMap): ConfigMap {
  if (![...root.values()].some((value) => isMap(value) && isMap(value.get('inputs')))) return root
  const budget = new ExpansionBudget()
  return new Map([...root].map(([key, value]) => [key, isMap(value) ? withInputs(value, budget) : value]))
}

/** Names in the keywords of a job that none of its inputs has, each once. */
export function unknownJobInputs(job: ConfigMap): string[] {
  const names = new Set<string>()
  for (const [key, value] of job) {
    if (KEYWORDS.has(key))
      eachText(value, (text) => [...text.matchAll(BLOCK)].forEach(([, name = '']) => names.add(name)))
  }
  return [...names]
}

function withInputs(job: ConfigMap, budget: ExpansionBudget): ConfigMap {
  const inputs = job.get('inputs')
  if (!isMap(inputs)) return job
  const texts = new Map<string, string>()
  for (const [name, definition] of inputs) {
    const value = isMap(definition) ? (definition.get('default') ?? null) : null
    if (value !== null) texts.set(name, textOf(value))
  }
  const replace = (text: string): string =>
    text.replace(BLOCK, (block, name: string) => {
      const value = texts.get(name)
      budget.spend(value?.length ?? 0)
      return value ?? block
    })
  return new Map([...job].map(([key, value]) => [key, KEYWORDS.has(key) ? mapTexts(value, replace) : value]))
}

/** What has no block in it stays the very value that it was. */
function mapTexts(value: ConfigValue, replace: (text: string) => string): ConfigValue {
  if (typeof value === 'string') return value.includes('${{') ? replace(value) : value
  if (isList(value)) return value.map((item) => mapTexts(item, replace))
  return isMap(value) ? new Map([...value].map(([key, item]) => [key, mapTexts(item, replace)])) : value
}

function eachText(value: ConfigValue, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value)
  else if (isList(value)) for (const item of value) eachText(item, visit)
  else if (isMap(value)) for (const item of value.values()) eachText(item, visit)
}
