import type { SimpleProject } from './schema.js'

/** What the status of an export or an import shows of its project. */
export function projectHeading(project: SimpleProject) {
  const { id, description, name, name_with_namespace, path, path_with_namespace, created_at } = project
  return { id, description, name, name_with_namespace, path, path_with_namespace, created_at }
}
