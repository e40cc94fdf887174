import type { Database } from '../../database/connect.js'
import type { TagRelease } from './schema.js'

/** Of these tags those that have a release. */
export async function releasesOfTags(
  database: Database,
  projectId: number,
  tags: string[],
): Promise<Map<string, TagRelease>> {
  if (tags.length === 0) return new Map()
  const rows = await database
    .selectFrom('release')
    .select(['tag', 'description'])
    .where('project_id', '=', projectId)
    .where('tag', 'in', tags)
    .execute()
  return new Map(rows.map(({ tag, description }) => [tag, { tag_name: tag, description }]))
}

/** False when the tag has a release already. */
export async function insertReleaseOfTag(
  database: Database,
  values: { projectId: number; authorId: number; tag: string; sha: string; description: string },
): Promise<boolean> {
  const now = Date.now()
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('release')
    .values({
      ...{ project_id: values.projectId, author_id: values.authorId, tag: values.tag, sha: values.sha },
      ...{ name: values.tag, description: values.description },
      ...{ created_at: now, updated_at: now, released_at: now },
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'tag']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False when the tag has no release. */
export async function updateReleaseOfTag(
  database: Database,
  projectId: number,
  tag: string,
  description: string,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('release')
    .set({ description, updated_at: Date.now() })
    .where('project_id', '=', projectId)
    .where('tag', '=', tag)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteReleaseOfTag(database: Database, projectId: number, tag: string): Promise<void> {
  await database.deleteFrom('release').where('project_id', '=', projectId).where('tag', '=', tag).execute()
}
