import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import {
  emitWikiPageEvents,
  type WikiPageFacts,
} from '../../integrations/webhooks/outbox/emit-wiki-page-events.js'
import { emitWiki } from '../planned-changes.js'
import type { ChangedPage } from './changed-pages.js'
import { findGroupWiki, insertGroupWiki, moveGroupWiki } from './group-wiki-store.js'
import { recordPages } from './record-pages.js'
import { findWiki, insertWiki, type Move, moveWiki } from './store.js'

/** A change of a wiki: what happened to pages, and who has done it. */
interface WikiChange {
  user: User
  /** The commit. */
  sha: string
  message: string
  pages: readonly ChangedPage[]
}

/** What the store has of the wikis of one kind of owner, by the IDs of these. */
export interface WikiRecords {
  /** Whether the owner had no wiki. */
  insert: (database: Database, ownerId: number) => Promise<boolean>
  find: (database: Database, ownerId: number) => Promise<{ head_sha: string | null } | undefined>
  /** Records a new head. False if the head is another one than expected. */
  move: (tx: Transaction, ownerId: number, move: Move) => Promise<boolean>
  /** Called in the transaction that records the head of the change. */
  onChange: (tx: Transaction, ownerId: number, change: WikiChange) => Promise<void>
}

export const PROJECT_WIKIS: WikiRecords = {
  insert: insertWiki,
  find: findWiki,
  move: moveWiki,
  onChange: async (tx, projectId, { user, sha, message, pages }) => {
    const facts = pages.map(({ formerSlug: _, ...page }): WikiPageFacts => ({
      ...page,
      sha,
      message,
      userId: user.id,
    }))
    await emitWikiPageEvents(tx, projectId, facts)
    await recordPages(tx, { projectId, userId: user.id }, pages)
    emitWiki(tx, 'projectWikis', projectId)
  },
}

/** Events and activity are those of projects. */
export const GROUP_WIKIS: WikiRecords = {
  insert: insertGroupWiki,
  find: findGroupWiki,
  move: moveGroupWiki,
  onChange: (tx, groupId) => {
    emitWiki(tx, 'groupWikis', groupId)
    return Promise.resolve()
  },
}
