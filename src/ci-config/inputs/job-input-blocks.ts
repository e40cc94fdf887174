import type { JobOptions } from '../plan.js'
import { ExpansionBudget } from '../variables/expansion-budget.js'
import { type ConfigMap, type ConfigValue, isList, isMap } from '../yaml/config-value.js'

/** Keywords in which inputs are interpolated (runner protocol, 2.13). */
const KEYWORDS: ReadonlySet<string> = new Set(
  'before_script script run after_script hooks image services artifacts cache'.split(' '),
)

const BLOCK = /\$\{\{\s*job\.inputs\.(?<name>[\w-]+)\s*\}\}/g

/** Input names in the keywords of a job that the job does not declare, each once. */
export function unknownJobInputs(job: ConfigMap, known: ConfigMap): string[] {
  const names = new Set<string>()
  for (const [key, value] of job) {
    if (KEYWORDS.has(key)) eachText(value, (text) => namesIn(text).forEach((name) => names.add(name)))
  }
  return [...names].filter((name) => !known.has(name))
}

/**
 * Inserts the text of each input for its blocks, as the runner receives it, also in values from the file's
 * defaults (CI language, 5.4). A block with an undeclared input is kept. Throws `ConfigError` if the texts
 * become too long.
 */
export function withJobInputs<O extends JobOptions>(options: O, budget = new ExpansionBudget()): O {
  const { inputs, script, run, afterScript, hooks, image, services, artifacts, caches } = options
  if (!inputs) return options
  const filled = { script, afterScript, ...(run && { run }), hooks, image, services, artifacts, caches }
  return { ...options, ...filledIn(filled, new Map(inputs.map(({ name, text }) => [name, text])), budget) }
}

function filledIn<T extends Partial<JobOptions>>(
  options: T,
  texts: ReadonlyMap<string, string>,
  budget: ExpansionBudget,
): T {
  const replaced = (block: string, name: string): string => {
    const text = texts.get(name)
    budget.spend(text?.length ?? 0)
    return text ?? block
  }
  return JSON.parse(JSON.stringify(options), (_, value: unknown) =>
    typeof value === 'string' && value.includes('${{') ? value.replace(BLOCK, replaced) : value,
  ) as T
}

function namesIn(text: string): string[] {
  return text.includes('${{') ? [...text.matchAll(BLOCK)].map(([, name = '']) => name) : []
}

function eachText(value: ConfigValue, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value)
  else if (isList(value)) for (const item of value) eachText(item, visit)
  else if (isMap(value)) for (const item of value.values()) eachText(item, visit)
}
