import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { emitReleaseEvent, type ReleaseFacts } from '../../integrations/webhooks/outbox/emit-release-event.js'
import { collectFirstEvidence } from '../release-evidence.js'
import { deleteReleaseOfTag, insertReleaseOfTag, updateReleaseOfTag } from '../release-store.js'
import { linksOfRelease, type TagReleaseRow } from './store.js'

/** Creates a release of a tag; false if the tag has one. */
export function createTagRelease(
  database: Database,
  values: Parameters<typeof insertReleaseOfTag>[1],
  externalUrl: string,
): Promise<boolean> {
  return emitReleaseChange(database, 'create', async (tx) => {
    const release = await insertReleaseOfTag(tx, values)
    if (release) await collectFirstEvidence(tx, release, externalUrl)
    return release
  })
}

/** Changes the notes of the release; false if the tag has no release. */
export function editTagRelease(
  database: Database,
  { projectId, tag, description }: { projectId: number; tag: string; description: string },
): Promise<boolean> {
  return emitReleaseChange(database, 'update', (tx) => updateReleaseOfTag(tx, projectId, tag, description))
}

/** Deletes the release of a tag, if there is one. */
export async function deleteTagRelease(database: Database, projectId: number, tag: string): Promise<void> {
  await emitReleaseChange(database, 'delete', (tx) => deleteReleaseOfTag(tx, projectId, tag))
}

/** Applies a change and emits the release event, with the links of the release, in one transaction. */
function emitReleaseChange(
  database: Database,
  action: ReleaseFacts['action'],
  change: (tx: Transaction) => Promise<TagReleaseRow | undefined>,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const release = await change(tx)
    if (release) await emitReleaseEvent(tx, { release, links: await linksOfRelease(tx, release.id), action })
    return release !== undefined
  })
}
