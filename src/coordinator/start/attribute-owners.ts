import type { Project, User } from '../access/caller.js'
import type { CustomAttributeDeps } from '../accounts/custom-attributes/operations.js'
import { notFound } from '../http/errors.js'
import type { GroupDirectory } from '../http/handle-operation.js'

interface Finders {
  /** Accepts an id or a username. */
  findUser: (idOrName: string) => Promise<User | undefined>
  findProject: (idOrPath: string) => Promise<Project | undefined>
  groups: GroupDirectory
}

/** Finds the owner of custom attributes by the id or path in a URL. */
export function attributeOwners({
  findUser,
  findProject,
  groups,
}: Finders): Omit<CustomAttributeDeps, 'database'> {
  return {
    userOf: async (id) => {
      const user = /^\d{1,15}$/.test(id) ? await findUser(id) : undefined
      if (!user) throw notFound('User')
      return { column: 'user_id', id: user.id }
    },
    projectOf: async (idOrPath) => {
      const project = await findProject(idOrPath)
      if (!project) throw notFound('Project')
      return { column: 'project_id', id: project.id }
    },
    groupOf: async (idOrPath) => {
      const group = await groups.find(idOrPath)
      if (!group) throw notFound('Group')
      return { column: 'group_id', id: group.id }
    },
  }
}
