import { sql } from 'kysely'

import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'

type NamedProject = Pick<Project, 'id' | 'name' | 'full_path'>

/** Values of `name_with_namespace` by project id, such as `Group / Subgroup / Project`; uses one query. */
export async function fullNamesOf(
  database: Database,
  projects: NamedProject[],
): Promise<Map<number, string>> {
  const wanted = [...new Set(projects.flatMap(pathsAbove).map((path) => path.toLowerCase()))]
  if (wanted.length === 0) return new Map()
  const rows = await database
    .selectFrom('namespace')
    .select(['full_path', 'name'])
    .where(sql`lower(full_path)`, 'in', wanted)
    .execute()
  const names = new Map(rows.map(({ full_path, name }) => [full_path.toLowerCase(), name]))
  return new Map(
    projects.map((project) => {
      const above = pathsAbove(project).map((path) => names.get(path.toLowerCase()) ?? path)
      return [project.id, [...above, project.name].join(' / ')]
    }),
  )
}

/** Paths of the ancestor groups, outermost first. */
function pathsAbove({ full_path }: NamedProject): string[] {
  const parts = full_path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
