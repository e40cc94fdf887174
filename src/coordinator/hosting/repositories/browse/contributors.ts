import { type Reading, records } from './reading.js'

export interface Contributor {
  name: string
  email: string
  /** Merges are not counted. */
  commits: number
}

/** Everybody who wrote a commit up to `sha`, by address; the name is the one of their latest commit. */
export async function contributorsOf(reading: Reading, sha: string): Promise<Contributor[]> {
  const people = new Map<string, Contributor>()
  const args = ['log', '--no-merges', '-z', '--format=%ae%x1f%an', sha]
  for await (const record of records(reading, args)) {
    const [email = '', name = ''] = record.split('\x1f')
    const known = people.get(email)
    if (known) known.commits++
    else people.set(email, { name, email, commits: 1 })
  }
  return [...people.values()]
}
