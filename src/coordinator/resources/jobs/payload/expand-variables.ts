import type { JobVariable } from '../../../../protocol/job-payload.js'

const NAME = '[a-zA-Z_][a-zA-Z0-9_]*'
/** An escape, `$NAME`, `${NAME}` or `%NAME%`. */
const REFERENCE = new RegExp(`\\$\\$|%%|\\$(${NAME})|\\$\\{(${NAME})\\}|%(${NAME})%`, 'g')

/** Characters; a few variables that double one another could otherwise grow without bound. */
const MAX_LENGTH = 256 * 1024

/**
 * Replaces the references that variables make to one another, however deep, for the list that goes to a runner (CI
 * language, 8.3). A name means its last entry in the list; inside an entry of that very name it means the entry before.
 * Kept as written: unknown names, names of raw and of file variables (the runner knows what to do with those), and what
 * would go round in a circle.
 */
export function expandVariables(variables: JobVariable[]): JobVariable[] {
  const positions = positionsByKey(variables)
  const expanded = new Map<number, string>()
  const underWay = new Set<number>()
  return variables.map((variable, index) => ({ ...variable, value: expand(index) }))

  function expand(index: number): string {
    const known = expanded.get(index)
    if (known !== undefined) return known
    const { key, value, raw } = variables[index] as JobVariable
    if (raw) return value
    underWay.add(index)
    const result = value.replace(REFERENCE, (reference: string, ...names: (string | undefined)[]) => {
      const name = names.slice(0, 3).find((group) => group !== undefined)
      return (name && valueOf(name, key === name ? index : Infinity)) ?? reference
    })
    underWay.delete(index)
    const kept = result.length > MAX_LENGTH ? value : result
    expanded.set(index, kept)
    return kept
  }

  function valueOf(name: string, before: number): string | undefined {
    const index = positions.get(name)?.findLast((position) => position < before)
    if (index === undefined || underWay.has(index)) return undefined
    const { raw, file } = variables[index] as JobVariable
    return raw || file ? undefined : expand(index)
  }
}

function positionsByKey(variables: JobVariable[]): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  variables.forEach(({ key }, index) => {
    const list = positions.get(key)
    if (list) list.push(index)
    else positions.set(key, [index])
  })
  return positions
}
