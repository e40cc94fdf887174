import { UnsafeArchiveError } from './errors.js'

/**
 * The components of an archive's entry name, below the directory it is unpacked into. Throws `UnsafeArchiveError` for
 * a name that is absolute, climbs, or holds what another system would take for a separator.
 */
export function safeComponents(name: string): string[] {
  const problem = nameProblem(name)
  if (problem !== undefined)
    throw new UnsafeArchiveError(`The archive has ${problem}: ${JSON.stringify(name)}`)
  return name.split('/').filter((component) => component !== '' && component !== '.')
}

/** What is wrong with the name of an entry, in words that follow "has". */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'an entry without a name'
  if (name.includes('\0')) return 'a NUL byte in a name'
  if (name.includes('\\')) return 'a backslash in a name'
  if (name.startsWith('/') || /^[A-Za-z]:\//.test(name)) return 'an absolute name'
  if (name.split('/').includes('..')) return 'a name that leaves its directory'
  return undefined
}

/**
 * Whether a link at `name` that points to `target` stays below the directory that both are relative to. Steps up may
 * only lead the target: behind another link they would count from where that one points to.
 */
export function staysInside(name: string, target: string): boolean {
  if (target === '' || target.includes('\0') || target.startsWith('/')) return false
  const steps = target.split('/').filter((step) => step !== '' && step !== '.')
  const firstDown = steps.findIndex((step) => step !== '..')
  const ups = firstDown === -1 ? steps.length : firstDown
  const depth = name.split('/').length - 1
  return ups <= depth && !steps.slice(ups).includes('..')
}
