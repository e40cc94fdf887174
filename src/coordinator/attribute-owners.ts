import { notFound } from './http/errors.js'
import type { GroupDirectory } from './http/handle-operation.js'
import type { Project } from './http/operation.js'
import type { CustomAttributeDeps } from './resources/custom-attributes/operations.js'

type FindProject = (idOrPath: string) => Promise<Project | undefined>

/** Whose custom attributes are meant by the id or address in a path. */
export function attributeOwners(
  findProject: FindProject,
  groups: GroupDirectory,
): Omit<CustomAttributeDeps, 'database'> {
  return {
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
