import { runGit } from '../../../../git/run-git.js'

export interface Signature {
  name: string
  email: string
  /** ISO 8601 with an offset; default now. */
  date?: string | undefined
}

export interface NewCommit {
  tree: string
  parents: string[]
  message: string
  author: Signature
  committer: Signature
}

/** Writes a commit that no ref points to yet; returns its SHA. */
export async function writeCommit(
  gitDir: string,
  { tree, parents, message, author, committer }: NewCommit,
): Promise<string> {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])]
  const environment = { ...identity('AUTHOR', author), ...identity('COMMITTER', committer) }
  const output = await runGit(['--git-dir', gitDir, ...args], { input: message, environment })
  return output.trim()
}

/** Environment variables with which git writes a commit or tag object under this identity. */
export function identity(
  role: 'AUTHOR' | 'COMMITTER',
  { name, email, date }: Signature,
): Record<string, string> {
  return {
    [`GIT_${role}_NAME`]: plainName(name) || 'unknown',
    [`GIT_${role}_EMAIL`]: plainName(email) || 'unknown',
    ...(date === undefined ? {} : { [`GIT_${role}_DATE`]: date }),
  }
}

/** Git strips characters that a signature cannot contain, and refuses a name that becomes empty. */
export function plainName(text: string): string {
  return text.replace(/[<>\p{Cc}]/gu, ' ').replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '')
}
