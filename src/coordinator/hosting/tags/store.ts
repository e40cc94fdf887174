import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { ReleaseLinkTable, ReleaseTable } from '../../database/tables/releases.js'
import type { TagRelease } from './schema.js'

export type TagReleaseRow = Selectable<ReleaseTable>
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

export function linksOfRelease(database: Database, releaseId: number): Promise<LinkRow[]> {
  return database.selectFrom('release_link').selectAll().where('release_id', '=', releaseId).execute()
}
