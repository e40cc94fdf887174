import type { Project } from '../../../access/caller.js'
import { EditProject } from '../settings/parameters.js'

/**
 * Settings that are not exported as such. Name, path and avatar are transferred separately, and the default
 * branch comes with the repository. The other instance has its own instance runners.
 */
const LEFT_OUT = new Set(['name', 'path', 'avatar', 'default_branch', 'shared_runners_enabled'])

/** Settings of a project, as parameters of `PUT /projects/:id`. */
export function settingsOf(project: Project): Record<string, unknown> {
  const row: Record<string, unknown> = { ...project }
  const names = Object.keys(EditProject.properties).filter((name) => name in row && !LEFT_OUT.has(name))
  return {
    ...Object.fromEntries(names.map((name) => [name, row[name]])),
    auto_cancel_pending_pipelines: project.auto_cancel_pending_pipelines ? 'enabled' : 'disabled',
  }
}
