import { type Reading, records } from './reading.js'

export interface Contributor {
  name: string
  email: string
  /** Number of commits, without merges. */
  commits: number
}

/** Authors of the commits up to `sha`, by e-mail address; the name is that of their latest commit. */
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
