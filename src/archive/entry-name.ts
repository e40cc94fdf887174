import { UnsafeArchiveError } from './errors.js'

/**
 * The components of the name of an archive entry, below the target directory. Throws `UnsafeArchiveError` for a
 * name that is absolute, leads upwards, or contains a separator of another system.
 */
export function safeComponents(name: string): string[] {
  const problem = nameProblem(name)
  if (problem !== undefined)
    throw new UnsafeArchiveError(`The archive has ${problem}: ${JSON.stringify(name)}`)
  return name.split('/').filter((component) => component !== '' && component !== '.')
}

/** The problem with the name of an entry. It completes a sentence after "has". */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'an entry without a name'
  if (name.includes('\0')) return 'a NUL byte in a name'
  if (name.includes('\\')) return 'a backslash in a name'
  if (name.startsWith('/') || /^[A-Za-z]:\//.test(name)) return 'an absolute name'
  if (name.split('/').includes('..')) return 'a name that leaves its directory'
  return undefined
}
