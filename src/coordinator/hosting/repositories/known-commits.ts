import { LRUCache } from 'lru-cache'

import type { Commit } from '../../../git/parse-commit.js'

const MAX_COMMITS = 2000
/** Limit of all messages together, in characters. */
const MAX_LENGTH = 4 * 1024 * 1024
/** What a commit counts beside its message. */
const OTHERWISE = 500

/**
 * The commits that were read last. The payload of each job has that of its pipeline. To read an object of a repository that
 * others have not used for a while starts a process, which takes longer than everything else that a job costs.
 */
export class KnownCommits {
  private readonly commits = new LRUCache<string, Commit>({
    max: MAX_COMMITS,
    maxSize: MAX_LENGTH,
    sizeCalculation: ({ message }) => message.length + OTHERWISE,
  })

  get(gitDir: string, sha: string): Commit | undefined {
    return this.commits.get(keyOf(gitDir, sha))
  }

  add(gitDir: string, commit: Commit): void {
    this.commits.set(keyOf(gitDir, commit.id), commit)
  }

  /** The repository is deleted: another one may take its place. */
  forget(gitDir: string): void {
    for (const key of [...this.commits.keys()])
      if (key.startsWith(keyOf(gitDir, ''))) this.commits.delete(key)
  }
}

function keyOf(gitDir: string, sha: string): string {
  return `${gitDir}:${sha}`
}
