import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { ReleaseLinkTable, ReleaseTable } from '../../database/tables/releases.js'
import type { TagRelease } from './schema.js'

export type ReleaseRow = Selectable<ReleaseTable>
type LinkRow = Selectable<ReleaseLinkTable>

/** Selects the tags that have a release. */
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

/** Undefined if the tag has a release. */
export function insertReleaseOfTag(
  database: Database,
  values: { projectId: number; authorId: number; tag: string; sha: string; description: string },
): Promise<ReleaseRow | undefined> {
  const now = Date.now()
  return database
    .insertInto('release')
    .values({
      project_id: values.projectId,
      author_id: values.authorId,
      tag: values.tag,
      sha: values.sha,
      name: values.tag,
      description: values.description,
      created_at: now,
      updated_at: now,
      released_at: now,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'tag']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Undefined if the tag has no release. */
export function updateReleaseOfTag(
  database: Database,
  projectId: number,
  tag: string,
  description: string,
): Promise<ReleaseRow | undefined> {
  return database
    .updateTable('release')
    .set({ description, updated_at: Date.now() })
    .where('project_id', '=', projectId)
    .where('tag', '=', tag)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes the release of a tag and returns it; undefined if there is none. */
export function deleteReleaseOfTag(
  database: Database,
  projectId: number,
  tag: string,
): Promise<ReleaseRow | undefined> {
  return database
    .deleteFrom('release')
    .where('project_id', '=', projectId)
    .where('tag', '=', tag)
    .returningAll()
    .executeTakeFirst()
}

export function linksOfRelease(database: Database, releaseId: number): Promise<LinkRow[]> {
  return database.selectFrom('release_link').selectAll().where('release_id', '=', releaseId).execute()
}
