import type { Project } from '../../../access/caller.js'
import { EditProject } from '../settings/parameters.js'

/**
 * What is no setting of the project alone: its names and picture are told apart, the branch comes with the repository, and
 * runners of the instance are another instance's there.
 */
const LEFT_OUT = new Set(['name', 'path', 'avatar', 'default_branch', 'shared_runners_enabled'])

/** The settings of a project, as `PUT /projects/:id` takes them. */
export function settingsOf(project: Project): Record<string, unknown> {
  const row: Record<string, unknown> = { ...project }
  const names = Object.keys(EditProject.properties).filter((name) => name in row && !LEFT_OUT.has(name))
  return {
    ...Object.fromEntries(names.map((name) => [name, row[name]])),
    auto_cancel_pending_pipelines: project.auto_cancel_pending_pipelines ? 'enabled' : 'disabled',
  }
}
