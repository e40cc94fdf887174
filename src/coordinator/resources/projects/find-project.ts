import type { CompiledQuery } from 'kysely'

import type { Database } from '../../database/connect.js'
import { sameText } from '../../database/text.js'
import type { Standing } from '../../http/access.js'
import type { Project, User } from '../../http/operation.js'

/**
 * Finds the project of a path by its id or full path (API gaps, A6). The queries are written out once, for nearly
 * every request makes them.
 */
export function createProjectFinder(database: Database): (idOrPath: string) => Promise<Project | undefined> {
  const byId = database.selectFrom('project').selectAll().where('id', '=', 0).compile()
  const byPath = database
    .selectFrom('project')
    .selectAll()
    .where(({ ref }) => sameText(ref('full_path'), ''))
    .compile()
  return async (idOrPath) => {
    const query = /^\d{1,15}$/.test(idOrPath)
      ? withParameters(byId, [Number(idOrPath)])
      : withParameters(byPath, [idOrPath])
    const { rows } = await database.executeQuery(query)
    return rows[0]
  }
}

/** Tells how a user stands to a project: one query, also for those who have nothing to do with it. */
export function createStandingReader(
  database: Database,
): (user: User, project: Project) => Promise<Standing> {
  const query = database
    .selectFrom('namespace')
    .leftJoin('member', (join) =>
      join
        .on('member.project_id', '=', 0)
        .on('member.user_id', '=', 0)
        .on(({ or, eb }) => or([eb('member.expires_at', 'is', null), eb('member.expires_at', '>', 0)])),
    )
    .select(['namespace.owner_id', 'member.access_level'])
    .where('namespace.id', '=', 0)
    .compile()
  return async (user, project) => {
    const parameters = [project.id, user.id, Date.now(), project.namespace_id]
    const { rows } = await database.executeQuery(withParameters(query, parameters))
    const row = rows[0]
    return { membership: row?.access_level ?? 0, ownsNamespace: row?.owner_id === user.id }
  }
}

function withParameters<Row>(query: CompiledQuery<Row>, parameters: unknown[]): CompiledQuery<Row> {
  return { ...query, parameters }
}
