import { inTransaction } from '../../database/transaction.js'
import { measured } from '../repositories/size-of.js'
import { headOfWiki } from './head-of-wiki.js'
import { deleteWiki, insertWiki, moveWiki } from './store.js'
import type { WikiDeps } from './wiki-deps.js'

/** Records the wiki of an imported project, without events. `fill` resolves to whether it has created the repository. */
export async function importWiki(
  { database, wikiRepositories }: WikiDeps,
  projectId: number,
  fill: () => Promise<boolean>,
): Promise<void> {
  // First, so that the repository is not taken for that of a deleted project.
  await insertWiki(database, projectId)
  const isFilled = await fill()
  const to = await headOfWiki(wikiRepositories, projectId)
  if (to === undefined && !isFilled) await deleteWiki(database, projectId)
  if (to === undefined) return
  const size = await measured(wikiRepositories, projectId)
  await inTransaction(database, (tx) => moveWiki(tx, projectId, { from: null, to, size }))
}
