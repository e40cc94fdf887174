import type { Transaction } from '../../../database/transaction.js'
import { hooksOfProject } from '../hook-store.js'
import { storeEvents } from './outbox.js'

/** A wiki page after its creation or change, or before its deletion. */
export interface WikiPageFacts {
  action: 'create' | 'update' | 'delete'
  slug: string
  title: string
  format: string
  /** Object ID of the content. */
  blob: string
  /** The commit of the change. */
  sha: string
  /** Of the commit. */
  message: string
  userId: number
}

/** Emits events of wiki pages to the hooks of the project when `tx` commits. */
export async function emitWikiPageEvents(
  tx: Transaction,
  projectId: number,
  pages: readonly WikiPageFacts[],
): Promise<void> {
  const trigger = 'wiki_page_events'
  const hooks = (await hooksOfProject(tx, projectId)).filter((hook) => hook[trigger])
  if (hooks.length === 0) return
  await storeEvents(
    tx,
    pages.map((facts) => ({ projectId, trigger, kind: 'wiki_page', facts, hooks })),
  )
}
