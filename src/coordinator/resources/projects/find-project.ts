import type { CompiledQuery } from 'kysely'

import type { Database } from '../../database/connect.js'
import { sameText } from '../../database/text.js'
import type { Standing } from '../../http/access.js'
import type { Project, User } from '../../http/operation.js'
import { createProjectLevelsReader, highest } from '../../standing/levels.js'

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
  const levelsOf = createProjectLevelsReader(database)
  return async (user, project) => {
    const { personal, ...memberships } = await levelsOf(user.id, project)
    return { membership: highest({ ...memberships, personal: 0 }), ownsNamespace: personal > 0 }
  }
}

function withParameters<Row>(query: CompiledQuery<Row>, parameters: unknown[]): CompiledQuery<Row> {
  return { ...query, parameters }
}
