import { invalid } from '../errors.js'

/** Jobs by name, each with the names that it needs; a name that is no job leads nowhere. Throws `ConfigError`. */
export function refuseCycles(needs: ReadonlyMap<string, readonly string[]>): void {
  const cycle = findCycle(needs)
  if (!cycle) return
  const [first, second] = cycle
  const detail = second === undefined ? `self-dependency: ${first}` : [...cycle, first].join(' -> ')
  throw invalid(
    `The pipeline has circular dependencies: ${detail}`,
    first === undefined ? [] : [first, 'needs'],
  )
}

/** The names of one circle, each needing the next. Without recursion: a chain may be as long as the file. */
export function findCycle(needs: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const stuck = withoutFree(needs)
  const path: string[] = []
  const visited = new Map<string, number>()
  let name = stuck.keys().next().value
  while (name !== undefined) {
    const seenAt = visited.get(name)
    if (seenAt !== undefined) return path.slice(seenAt)
    visited.set(name, path.push(name) - 1)
    name = needs.get(name)?.find((need) => stuck.has(need))
  }
  return undefined
}

/**
 * Repeatedly removes jobs without remaining needs. The remaining jobs are part of a cycle or depend on one.
 */
function withoutFree(needs: ReadonlyMap<string, readonly string[]>): Set<string> {
  const left = new Set(needs.keys())
  const waiting = new Map(
    [...needs].map(([name, names]) => [name, names.filter((need) => needs.has(need)).length]),
  )
  const dependents = dependentsOf(needs)
  const free = [...left].filter((name) => waiting.get(name) === 0)
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    left.delete(name)
    for (const dependent of dependents.get(name) ?? []) {
      const rest = (waiting.get(dependent) ?? 0) - 1
      waiting.set(dependent, rest)
      if (rest === 0) free.push(dependent)
    }
  }
  return left
}

function dependentsOf(needs: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const dependents = new Map<string, string[]>()
  for (const [name, names] of needs) {
    for (const need of names) {
      const known = dependents.get(need)
      if (known) known.push(name)
      else dependents.set(need, [name])
    }
  }
  return dependents
}
