import type { GraphJob } from '../../coordinator/ci/pipelines/graph/schema.js'

/** Shorter names have room. */
const LONG_NAME = 18
/** Characters at the end of a long name that are always shown. */
const TAIL = 11

/** Divides a name: where there is no room, the end of `head` is left out. The tail of a short name is empty. */
export function endOfName(name: string): { head: string; tail: string } {
  const characters = Array.from(name)
  if (characters.length < LONG_NAME) return { head: name, tail: '' }
  return { head: characters.slice(0, -TAIL).join(''), tail: characters.slice(-TAIL).join('') }
}

type Instance = Pick<GraphJob, 'name' | 'group' | 'index' | 'total'>

/**
 * What distinguishes an instance of a parallel job from the others: `3/10` of `rspec 3/10`; of a matrix, the values that
 * are not the same in all instances.
 */
export function instanceName(job: Instance, all: readonly Instance[]): string {
  const rest = restOfName(job)
  const values = valuesOf(rest)
  const others = all.map((one) => valuesOf(restOfName(one)))
  if (!values || others.length < 2 || others.some((other) => other?.length !== values.length)) return rest
  const own = values.filter((value, index) => others.some((other) => other?.[index] !== value))
  return own.length === 0 ? rest : own.join(', ')
}

function restOfName({ name, group, index, total }: Instance): string {
  const rest =
    group !== null && name.startsWith(group) ? name.slice(group.length).replace(/^[:\s]+/, '') : name
  return rest === '' ? `${index}/${total}` : rest
}

/** Those of a matrix: `[linux, arm64]`. */
function valuesOf(rest: string): string[] | undefined {
  return /^\[(?<values>.*)\]$/.exec(rest)?.groups?.['values']?.split(', ')
}
