import type { Database } from '../../database/connect.js'

/** The facts about the release of a tag in variables. */
export interface EventRelease {
  name: string
  description: string | null
}

/** Undefined if the tag has no release. */
export function releaseOfTag(
  database: Database,
  projectId: number,
  tag: string,
): Promise<EventRelease | undefined> {
  return database
    .selectFrom('release')
    .select(['name', 'description'])
    .where('project_id', '=', projectId)
    .where('tag', '=', tag)
    .executeTakeFirst()
}
