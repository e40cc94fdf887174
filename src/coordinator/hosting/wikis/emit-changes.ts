import type { User } from '../../access/caller.js'
import { inTransaction } from '../../database/transaction.js'
import { measured } from '../repositories/size-of.js'
import { changedPages } from './changed-pages.js'
import { headOfWiki } from './head-of-wiki.js'
import type { WikiDeps } from './wiki-deps.js'
import { PROJECT_WIKIS } from './wiki-records.js'

/** Number of attempts while others change the wiki. */
const MAX_ATTEMPTS = 5

/**
 * Emits events of the pages that were changed since the last call, and records their activity and the size of the wiki. If this is
 * interrupted, the next change of the wiki emits those of both.
 */
export async function emitChanges(
  { database, wikiRepositories, records = PROJECT_WIKIS }: WikiDeps,
  ownerId: number,
  user: User,
  renamed?: { from: string; to: string },
): Promise<void> {
  const reading = wikiRepositories.reading(ownerId, new AbortController().signal)
  for (let left = MAX_ATTEMPTS; left > 0; left--) {
    const wiki = await records.find(database, ownerId)
    const sha = await headOfWiki(wikiRepositories, ownerId)
    if (!wiki || sha === undefined || sha === wiki.head_sha) return
    const { title: message } = await wikiRepositories.readCommit(ownerId, sha)
    const pages = await changedPages(reading, wiki.head_sha, sha, renamed)
    const size = await measured(wikiRepositories, ownerId)
    const isFirst = await inTransaction(database, async (tx) => {
      const isMoved = await records.move(tx, ownerId, { from: wiki.head_sha, to: sha, size })
      if (isMoved) await records.onChange(tx, ownerId, { user, sha, message, pages })
      return isMoved
    })
    // Otherwise another request has already emitted events of some of the changes.
    if (isFirst) return
  }
}
