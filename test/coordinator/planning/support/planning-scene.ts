import type { OpenDatabase } from '../../../support/databases.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import type { Person } from '../../support/test-app.js'
import type { TestServicesOptions } from '../../support/test-coordinator.js'
import { openPlanningApi } from './planning-api.js'

export type { Made } from './planning-api.js'

/** Branches that every project has. */
const BRANCHES = ['main', 'a', 'b', 'c', 'd']

/** A public group `team` with the public project `app`, and the project `other`, which only its members see. */
export async function openPlanningScene(
  open: OpenDatabase,
  { settings = {} }: Pick<TestServicesOptions, 'settings'> = {},
) {
  return withProjects(await openPlanningApi(open, { branches: BRANCHES, settings }))
}

/** Opens the API once for all tests of a file. Each gets an empty store, and projects that no other test has had. */
export function planningSceneForFile() {
  const api = sceneForFile((open) => openPlanningApi(open, { branches: BRANCHES }))
  return async (open?: OpenDatabase) => withProjects(await api(open))
}

async function withProjects(api: Awaited<ReturnType<typeof openPlanningApi>>) {
  const { ok } = api
  const visibility = 'public'
  const group = await ok('POST /groups', { name: 'Team', path: 'team', visibility })
  const project = await ok('POST /projects', { name: 'app', namespace_id: group.id, visibility })
  const other = await ok('POST /projects', { name: 'other', namespace_id: group.id })
  return {
    ...api,
    /** Creates a merge request of a branch into `main`. */
    propose: (source_branch: string, body: object = {}, as?: Person) =>
      ok(
        `POST /projects/${project.id}/merge_requests`,
        { source_branch, target_branch: 'main', title: source_branch, ...body },
        as,
      ),
    group: group.id,
    project: project.id,
    other: other.id,
    G: `/groups/${group.id}`,
    P: `/projects/${project.id}`,
    O: `/projects/${other.id}`,
  }
}

export type PlanningScene = Awaited<ReturnType<typeof openPlanningScene>>
