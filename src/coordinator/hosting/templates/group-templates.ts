import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { Repositories } from '../repositories/repositories.js'
import { ProjectTemplates } from './project-templates.js'
import type { TemplateSource } from './templates.js'

export interface GroupTemplatesDeps {
  database: Database
  repositories: Pick<Repositories, 'resolveCommit' | 'reading'>
}

/** The templates of the groups above a project, those of the nearest group first. */
export async function groupTemplates(
  { database, repositories }: GroupTemplatesDeps,
  { namespace_id }: Pick<Project, 'namespace_id'>,
): Promise<TemplateSource[]> {
  const projects = await templateProjectsAbove(database, namespace_id)
  return projects.map((project) => new ProjectTemplates({ repositories, project: async () => project }))
}

/**
 * The projects that groups name in `file_template_project_id`. A project outside the group has none, because all who see a
 * project of the group read the templates.
 */
function templateProjectsAbove(database: Database, namespaceId: number): Promise<Project[]> {
  return database
    .selectFrom('group_tree as above')
    .innerJoin('namespace as group', 'group.id', 'above.ancestor_id')
    .innerJoin('project', 'project.id', 'group.file_template_project_id')
    .innerJoin('group_tree as inside', (join) =>
      join.onRef('inside.group_id', '=', 'project.namespace_id').onRef('inside.ancestor_id', '=', 'group.id'),
    )
    .selectAll('project')
    .where('above.group_id', '=', namespaceId)
    .where('project.deletion_started_at', 'is', null)
    .orderBy(({ fn }) => fn<number>('length', ['group.full_path']), 'desc')
    .execute()
}
