import type { User } from '../../access/caller.js'
import { inTransaction } from '../../database/transaction.js'
import { emitWikiPageEvents } from '../../integrations/webhooks/outbox/emit-wiki-page-events.js'
import { measured } from '../repositories/size-of.js'
import { changedPages } from './changed-pages.js'
import { headOfWiki, type WikiDeps } from './head-of-wiki.js'
import { recordPages } from './record-pages.js'
import { findWiki, moveWiki } from './store.js'

/** Number of attempts while others change the wiki. */
const MAX_ATTEMPTS = 5

/**
 * Emits events of the pages that were changed since the last call, and records their activity and the size of the wiki. If this is
 * interrupted, the next change of the wiki emits those of both.
 */
export async function emitChanges(
  { database, wikiRepositories }: WikiDeps,
  projectId: number,
  user: User,
  renamed?: { from: string; to: string },
): Promise<void> {
  const reading = wikiRepositories.reading(projectId, new AbortController().signal)
  for (let left = MAX_ATTEMPTS; left > 0; left--) {
    const wiki = await findWiki(database, projectId)
    const sha = await headOfWiki(wikiRepositories, projectId)
    if (!wiki || sha === undefined || sha === wiki.head_sha) return
    const { title: message } = await wikiRepositories.readCommit(projectId, sha)
    const pages = await changedPages(reading, wiki.head_sha, sha, renamed)
    const facts = pages.map(({ formerSlug: _, ...page }) => ({ ...page, sha, message, userId: user.id }))
    const size = await measured(wikiRepositories, projectId)
    const isFirst = await inTransaction(database, async (tx) => {
      const isMoved = await moveWiki(tx, projectId, { from: wiki.head_sha, to: sha, size })
      if (!isMoved) return false
      await emitWikiPageEvents(tx, projectId, facts)
      await recordPages(tx, { projectId, userId: user.id }, pages)
      return true
    })
    // Otherwise another request has already emitted events of some of the changes.
    if (isFirst) return
  }
}
