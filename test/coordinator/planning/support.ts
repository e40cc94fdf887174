import { listHostingOperations } from '../../../src/coordinator/start/operations/hosting.js'
import { pushDeps } from '../../../src/coordinator/start/services/push-deps.js'
import type { OpenDatabase } from '../../support/databases.js'
import { sceneForFile } from '../../support/scene-for-file.js'
import { openPlanningApi, type PlanningApiOptions } from './support/planning-api.js'

export type PlanningSceneOptions = Pick<PlanningApiOptions, 'pushesOf'>

/** A coordinator with the group `team` and its projects: `app`, which is public, and `secret`, which is private. */
export async function openPlanningScene(open: OpenDatabase, options: PlanningSceneOptions = {}) {
  return withProjects(await openApi(open, options))
}

/** Opens the API once for all tests of a file. Each gets an empty store, and projects that no other test has had. */
export function planningSceneForFile() {
  const api = sceneForFile((open) => openApi(open))
  return async (open?: OpenDatabase) => {
    const opened = await api(open)
    await opened.services.instanceSettings.load()
    return withProjects(opened)
  }
}

function openApi(open: OpenDatabase, { pushesOf = pushDeps }: PlanningSceneOptions = {}) {
  return openPlanningApi(open, { pushesOf, listHosting: listHostingOperations })
}

async function withProjects(api: Awaited<ReturnType<typeof openPlanningApi>>) {
  const { ok } = api
  const group = await ok('POST /groups', { name: 'Team', path: 'team', visibility: 'public' })
  const add = async (name: string, visibility: string) => {
    const { id } = await ok('POST /projects', { name, namespace_id: group.id, visibility })
    return `/projects/${id}`
  }
  return {
    ...api,
    G: `/groups/${group.id}`,
    P: await add('app', 'public'),
    secret: await add('secret', 'private'),
    /** Commits files to the default branch of a project. Returns the ID of the commit. */
    commit: async (at: string, files: { [path: string]: string }, commit_message = 'Change files') => {
      const actions = Object.entries(files).map(([file_path, content]) => ({
        action: 'create',
        file_path,
        content,
      }))
      const body = { branch: 'main', commit_message, actions }
      return (await ok<{ id: string }>(`POST ${at}/repository/commits`, body)).id
    },
  }
}
