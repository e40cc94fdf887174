import { expect, test } from 'vitest'

import { stopDueEnvironments } from '../../../src/coordinator/ci/engine/environments/stop-due-environments.js'
import { stopEnvironmentsOfBranch } from '../../../src/coordinator/ci/engine/environments/stop-environments-of-refs.js'
import type { Person } from '../../coordinator/support/test-app.js'
import { sceneForFile } from '../../support/scene-for-file.js'
import { type AttackScene, openAttackScene, runToSuccess, takeNext, whatStarts } from './scene.js'

const attackScene = sceneForFile(openAttackScene)

const DAY = 24 * 3600 * 1000
const deployWith = (more = '') => `
deploy: { script: x, environment: { name: production, on_stop: stop${more} } }
stop: { script: x, when: manual, environment: { name: production, action: stop } }
`

/** The environment that a pipeline on the protected branch has deployed to; the maintainer's unless said otherwise. */
async function openDeployed(more = ''): Promise<AttackScene> {
  const scene = await attackScene()
  await scene.push(scene.people.maintainer, 'main', deployWith(more))
  await runToSuccess(scene, 'deploy')
  return scene
}

function production({ coordinator }: AttackScene) {
  return coordinator.database
    .selectFrom('environment')
    .selectAll()
    .where('name', '=', 'production')
    .executeTakeFirstOrThrow()
}

function deleteBranch({ coordinator }: AttackScene, by: Person, branch: string): Promise<void> {
  const { engine, project } = coordinator
  return stopEnvironmentsOfBranch(engine, { projectId: project.id, branch, userId: by.id })
}

test('a developer who records a deployment of a branch and deletes the branch does not start the stop job of the protected branch', async () => {
  const scene = await openDeployed()
  const { people, call } = scene
  const recorded = await call(people.developer, 'POST /deployments', {
    environment: 'production',
    sha: 'a'.repeat(40),
    ref: 'mine',
    tag: false,
    status: 'success',
  })
  expect(recorded.statusCode).toBe(201)
  await deleteBranch(scene, people.developer, 'mine')
  expect(await whatStarts(scene)).toBeUndefined()
  expect((await production(scene)).state).toBe('available')
  // Nor does the record keep the environment from being stopped with the branch that was deployed.
  await deleteBranch(scene, people.maintainer, 'main')
  expect(await whatStarts(scene)).toEqual({ job: 'stop', as: 'maintainer', hasSecret: true })
})

test('the deletion of a branch starts stop jobs in the name of the user who deleted it, if this user may run them', async () => {
  const scene = await openDeployed()
  await deleteBranch(scene, scene.people.developer, 'main')
  expect(await whatStarts(scene)).toBeUndefined()
  expect((await production(scene)).state).toBe('available')
  await deleteBranch(scene, scene.people.owner, 'main')
  expect(await whatStarts(scene)).toEqual({ job: 'stop', as: 'owner', hasSecret: true })
})

test.each(['access', 'prepare'])(
  'a job with the action %s that brings the stop of an environment nearer does not start the stop job as another user',
  async (action) => {
    const scene = await openDeployed(', auto_stop_in: 1 day')
    const { developer } = scene.people
    const job = `{ script: x, environment: { name: production, action: ${action}, auto_stop_in: 1 second } }`
    await scene.push(developer, 'mine', `use: ${job}`)
    await runToSuccess(scene, 'use')
    await stopDueEnvironments(scene.coordinator.engine, Date.now() + DAY / 2)
    expect(await whatStarts(scene)).toBeUndefined()
    expect(await production(scene)).toMatchObject({ state: 'available', auto_stop_at: null })
  },
)

test('a job that extends the time of an environment leaves it to be stopped in the name of the user who deployed', async () => {
  const scene = await openDeployed(', auto_stop_in: 1 day')
  const job = '{ script: x, environment: { name: production, action: access, auto_stop_in: 3 days } }'
  await scene.push(scene.people.developer, 'mine', `use: ${job}`)
  await runToSuccess(scene, 'use')
  await stopDueEnvironments(scene.coordinator.engine, Date.now() + 2 * DAY)
  expect(await whatStarts(scene)).toBeUndefined()
  await stopDueEnvironments(scene.coordinator.engine, Date.now() + 4 * DAY)
  expect(await whatStarts(scene)).toEqual({ job: 'stop', as: 'maintainer', hasSecret: true })
})

test('the time that a job of a developer has set does not stop, as the maintainer, what the protected branch deploys later', async () => {
  const scene = await attackScene()
  const { developer, maintainer } = scene.people
  await scene.push(developer, 'mine', deployWith(', auto_stop_in: 1 day'))
  await runToSuccess(scene, 'deploy')
  await scene.push(maintainer, 'main', deployWith())
  await runToSuccess(scene, 'deploy')
  await stopDueEnvironments(scene.coordinator.engine, Date.now() + 2 * DAY)
  expect(await whatStarts(scene)).toBeUndefined()
  expect((await production(scene)).state).toBe('available')
})

test('an environment of an unprotected branch stops by itself in the name of the developer who deployed it', async () => {
  const scene = await attackScene()
  await scene.push(scene.people.developer, 'mine', deployWith(', auto_stop_in: 1 day'))
  await runToSuccess(scene, 'deploy')
  await stopDueEnvironments(scene.coordinator.engine, Date.now() + 2 * DAY)
  expect(await whatStarts(scene)).toEqual({ job: 'stop', as: 'developer', hasSecret: false })
})

test('an environment whose time was set by a user who has left the project is not stopped as that user', async () => {
  const scene = await openDeployed(', auto_stop_in: 1 day')
  const { coordinator, people } = scene
  await coordinator.database.deleteFrom('member').where('user_id', '=', people.maintainer.id).execute()
  await stopDueEnvironments(coordinator.engine, Date.now() + 2 * DAY)
  expect(await whatStarts(scene)).toBeUndefined()
})

test('the rights for a stop are read in the transaction that stops the environment', async () => {
  const scene = await openDeployed(', auto_stop_in: 1 day')
  const { engine } = scene.coordinator
  const isInside: boolean[] = []
  const outside: typeof engine.outside = {
    ...engine.outside,
    levelOf: (user, project, database) => {
      isInside.push(database?.isTransaction === true)
      return engine.outside.levelOf(user, project, database)
    },
  }
  await stopDueEnvironments({ ...engine, outside }, Date.now() + 2 * DAY)
  expect(isInside).not.toContain(false)
  expect(isInside).toContain(true)
  expect(await whatStarts(scene)).toMatchObject({ job: 'stop', as: 'maintainer' })
})

test('stop_stale starts no stop job for a maintainer whom the protected branch does not let run jobs', async () => {
  const scene = await openDeployed()
  const { coordinator, people, call } = scene
  const { database } = coordinator
  await database.updateTable('protected_ref').set({ push_access_level: 0, merge_access_level: 0 }).execute()
  const old = Date.now() - 30 * DAY
  await database.updateTable('environment').set({ updated_at: old }).execute()
  await database.updateTable('deployment').set({ created_at: old }).execute()
  const before = new Date(Date.now() - 8 * DAY).toISOString()
  const served = await call(people.maintainer, 'POST /environments/stop_stale', { before })
  expect(served.json()).toMatchObject({
    scheduled_entries: [],
    unprocessable_entries: [{ name: 'production' }],
  })
  expect(await whatStarts(scene)).toBeUndefined()
})

test('a job that is started again after its branch lost the protection gets no protected variables', async () => {
  const scene = await attackScene()
  const { coordinator, people, call } = scene
  await scene.push(people.maintainer, 'main', 'work: { script: x }\nhand: { script: x, when: manual }')
  const work = await takeNext(scene)
  await scene.runner.update(work!, 'failed', { failure_reason: 'script_failure' })
  await coordinator.database.deleteFrom('protected_ref').execute()
  const jobs = (await call(people.developer, 'GET /jobs')).json<{ id: number; name: string }[]>()
  const idOf = (name: string) => jobs.find((job) => job.name === name)?.id
  await call(people.developer, `POST /jobs/${idOf('work')}/retry`)
  expect(await whatStarts(scene)).toEqual({ job: 'work', as: 'developer', hasSecret: false })
  await call(people.developer, `POST /jobs/${idOf('hand')}/play`)
  expect(await whatStarts(scene)).toEqual({ job: 'hand', as: 'developer', hasSecret: false })
})
