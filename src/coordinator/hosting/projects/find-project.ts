import type { ProjectAccess } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import { createProjectLevelsReader, highest } from '../../access/membership-levels.js'
import type { Database } from '../../database/connect.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'
import { sameText } from '../../database/text.js'

const projectById = preparedRead((database, { id }: { id: Placeholder<number> }) =>
  database.selectFrom('project').selectAll().where('id', '=', id).where('deletion_started_at', 'is', null),
)

const projectByPath = preparedRead((database, { path }: { path: Placeholder<string> }) =>
  database
    .selectFrom('project')
    .selectAll()
    .where(({ ref }) => sameText(ref('full_path'), path))
    .where('deletion_started_at', 'is', null),
)

/** Finds the project in a path by its ID or full path (API, A6). */
export function createProjectFinder(database: Database): (idOrPath: string) => Promise<Project | undefined> {
  return async (idOrPath) => {
    const [project] = /^\d{1,15}$/.test(idOrPath)
      ? await projectById(database, { id: Number(idOrPath) })
      : await projectByPath(database, { path: idOrPath })
    return project
  }
}

/** Returns a function that reads the access of a user to a project, in one query. */
export function createProjectAccessReader(
  database: Database,
): (user: User, project: Project) => Promise<ProjectAccess> {
  const levelsOf = createProjectLevelsReader(database)
  return async (user, project) => {
    const { personal, ...memberships } = await levelsOf(user.id, project)
    return { membership: highest({ ...memberships, personal: 0 }), ownsNamespace: personal > 0 }
  }
}
