import { expect, test } from 'vitest'

import { findDeploymentTasks } from '../../../../../src/coordinator/ci/engine/deployments/deployment-merge-request-store.js'
import {
  insertDeployment,
  updateDeployment,
} from '../../../../../src/coordinator/ci/engine/deployments/deployment-store.js'
import type { DeploymentStatus } from '../../../../../src/coordinator/database/tables/environments.js'
import { inTransaction } from '../../../../../src/coordinator/database/transaction.js'
import {
  DeployedWorker,
  storeDeployed,
} from '../../../../../src/coordinator/planning/merge-requests/diffs/deployed-worker.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../../support/databases.js'
import { sampled, testAtNight } from '../../../../support/nightly.js'
import { cutAtSqliteWrite } from '../../../support/statement-hooks.js'
import { gitSceneForFile } from '../git-scene.js'

const openGitScene = gitSceneForFile()

/** The scene with merge requests that are merged at once, and deployments to `production`. */
async function openDeployedScene(open: OpenDatabase = openSqlite) {
  const scene = await openGitScene(open)
  const { database, project, ada, commit, make, refresh, ok, services, P } = scene
  const environment = await addEnvironment(database, project)
  let iid = 0
  const { repositories } = services
  return {
    ...scene,
    deploy: async (sha: string, status: DeploymentStatus = 'success', time = 1000) => {
      iid += 1
      const place = { project_id: project, environment_id: environment, user_id: ada.id }
      const times = { created_at: 0, updated_at: 0, finished_at: status === 'success' ? time : null }
      const row = { ...place, ...times, iid, sha, ref: 'main', tag: false, status }
      return inTransaction(database, (tx) => insertDeployment(tx, row))
    },
    /** Merges a new branch and returns the new head of `main`. */
    merge: async (branch: string, options: object = {}) => {
      await commit({ [`${branch}.txt`]: branch }, { branch, from: 'main' })
      const { iid: number } = await make(branch, { title: branch })
      await refresh()
      await ok(`PUT ${P}/merge_requests/${number}/merge`, options)
      return scene.git('rev-parse', 'main')
    },
    /** What the worker does. */
    work: async () => {
      for (const task of await findDeploymentTasks(database)) {
        await storeDeployed({ database, repositories }, task, new AbortController().signal)
      }
    },
    tasks: async () => (await findDeploymentTasks(database)).map(({ deployment_id }) => deployment_id),
    listed: async (query: string) =>
      (await ok<{ title: string }[]>(`GET ${P}/merge_requests?${query}`)).map(({ title }) => title),
  }
}

type Scene = Awaited<ReturnType<typeof openDeployedScene>>

async function addEnvironment(database: Scene['database'], project_id: number): Promise<number> {
  const name = 'production'
  const { id } = await database
    .insertInto('environment')
    .values({ project_id, name, slug: name, tier: 'production', created_at: 0, updated_at: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

describeOnDatabase('deployed merge requests', (open) => {
  testAtNight('are stored for a merge commit, a squash, a fast-forward and a branch of a fork', async () => {
    const scene = await openDeployedScene(open)
    const { deploy, merge, work, listed, main, ok, P, git, services, project, person, commit } = scene
    await deploy(main)
    await deploy(await merge('merged'))
    await deploy(await merge('squashed', { squash: true }))
    await ok(`PUT ${P}`, { merge_method: 'ff' })
    await deploy(await merge('forwarded'))
    const ben = await person('ben')
    await services.database.updateTable('user').set({ is_admin: true }).where('id', '=', ben.id).execute()
    const fork = await ok('POST /projects', { name: 'app', visibility: 'public' }, ben)
    await ok(`POST /projects/${fork.id}/fork/${project}`, {}, ben)
    await git('push', '--quiet', services.repositories.path(fork.id), 'main')
    await commit({ 'fork.txt': 'fork' }, { branch: 'x', from: 'main', at: fork.id, as: ben })
    const made = { target_project_id: project, title: 'forked' }
    const { iid } = await scene.make('x', made, { at: fork.id, as: ben })
    await scene.refresh()
    await ok(`PUT ${P}/merge_requests/${iid}/merge`)
    await deploy(await git('rev-parse', 'main'))
    await merge('not-deployed')
    expect(await listed('environment=production')).toEqual([])
    await work()
    expect(await listed('environment=production')).toEqual(['forked', 'forwarded', 'squashed', 'merged'])
    expect(await scene.tasks()).toEqual([])
  })
})

describeOnDatabase('deployed merge requests', (open) => {
  test('are those of deployments that have succeeded, at once or later', async () => {
    const { deploy, merge, work, listed, main, database, tasks } = await openDeployedScene(open)
    const first = await deploy(main)
    expect(await tasks()).toEqual([first.id])
    const later = await deploy(await merge('one'), 'running')
    await deploy(await merge('two'), 'failed')
    await work()
    expect(await listed('environment=production')).toEqual([])
    const changes = { status: 'success', finished_at: 2000 } as const
    await inTransaction(database, (tx) => updateDeployment(tx, later.id, changes))
    expect(await tasks()).toEqual([later.id])
    await work()
    expect(await listed('deployed_after=1970-01-01T00:00:02Z')).toEqual(['one'])
    await database.deleteFrom('deployment').where('id', '=', later.id).execute()
    expect(await listed('deployed_after=1970-01-01T00:00:02Z')).toEqual([])
  })
})

describeOnDatabase('the worker', (open) => {
  testAtNight('looks at a deployment as soon as it has succeeded', async () => {
    const { deploy, merge, main, listed, services } = await openDeployedScene(open)
    const { database, repositories } = services
    const stopping = new AbortController()
    const worker = new DeployedWorker({ database, repositories, logger: services.logger })
    const running = worker.run(stopping.signal)
    await deploy(main)
    await deploy(await merge('one'))
    await expect.poll(() => listed('environment=production')).toEqual(['one'])
    stopping.abort()
    await running
  })

  testAtNight('skips a deployment that no longer exists', async () => {
    const { deploy, main, database, services, tasks } = await openDeployedScene(open)
    const { id } = await deploy(main)
    const [task] = await findDeploymentTasks(database)
    await database.deleteFrom('deployment').where('id', '=', id).execute()
    expect(await tasks()).toEqual([])
    const deps = { database, repositories: services.repositories }
    await storeDeployed(deps, task!, new AbortController().signal)
    expect(await database.selectFrom('deployment_merge_request').selectAll().execute()).toEqual([])
  })
})

testAtNight(
  'a coordinator that is killed before any write of a deployment or its task loses nothing',
  async () => {
    const scene = await openDeployedScene()
    const { deploy, merge, work, listed, main, database } = scene
    await deploy(main)
    await work()
    const step = async (branch: string) => {
      const running = await deploy(await merge(branch), 'running')
      return async () => {
        const changes = { status: 'success', finished_at: 2000 } as const
        await inTransaction(database, (tx) => updateDeployment(tx, running.id, changes))
        await work()
      }
    }
    const writes = await cutAtSqliteWrite(Infinity, await step('counted'))
    expect(writes).toBeGreaterThanOrEqual(6)
    const points = Array.from({ length: writes }, (_, index) => index + 1)
    for (const at of sampled(points, 3)) {
      const branch = `topic-${at}`
      const succeed = await step(branch)
      await cutAtSqliteWrite(at, () => succeed().catch(() => undefined))
      await work()
      const last = await database
        .selectFrom('deployment')
        .select('status')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      const isListed = (await listed('environment=production')).includes(branch)
      expect({ at, isListed, tasks: await scene.tasks() }).toEqual({
        at,
        isListed: last.status === 'success',
        tasks: [],
      })
    }
  },
)
