import { expect, test } from 'vitest'

import { startDueJobs } from '../../../src/coordinator/ci/engine/advance/start-due-jobs.js'
import { stopDueEnvironments } from '../../../src/coordinator/ci/engine/environments/stop-due-environments.js'
import { runDueSchedules } from '../../../src/coordinator/ci/schedules/run-due-schedules.js'
import { transferProject } from '../../../src/coordinator/hosting/projects/transfer/transfer-project.js'
import { replaceGroupRecords } from '../../../src/coordinator/planning/transfer/replace-group-records.js'
import { addGroup } from '../../coordinator/ci/engine/support/records.js'
import { type AttackScene, openAttackScene, runToSuccess, whatStarts } from './scene.js'

const DAY = 24 * 3600 * 1000

/** `maintainer` and `owner` have their roles by the group of the project alone, which `leave` moves to another group. */
async function openScene(): Promise<AttackScene & { leave: () => Promise<unknown> }> {
  const scene = await openAttackScene()
  const { coordinator, people } = scene
  const { database, project } = coordinator
  await database
    .updateTable('member')
    .set({ project_id: null, group_id: project.namespace_id })
    .where('user_id', 'in', [people.maintainer.id, people.owner.id])
    .execute()
  const leave = async () => {
    await addGroup(database, 'other')
    return transferProject({ database, onMoved: replaceGroupRecords }, project, 'other', people.administrator)
  }
  return { ...scene, leave }
}

test('a schedule makes no pipeline once the project has left the group by which its owner could', async () => {
  const { coordinator, people, call, push, leave } = await openScene()
  const { database, engine } = coordinator
  await push(people.maintainer, 'main', 'work: { script: x }')
  const schedule = { description: 'nightly', ref: 'main', cron: '0 1 * * *' }
  expect((await call(people.maintainer, 'POST /pipeline_schedules', schedule)).statusCode).toBe(201)
  await leave()
  await runDueSchedules(engine, Date.now() + 2 * DAY)
  const made = await database.selectFrom('pipeline').select('id').where('source', '=', 'schedule').execute()
  expect(made).toEqual([])
  expect(await database.selectFrom('pipeline_schedule').select('active').execute()).toEqual([
    { active: false },
  ])
})

test('a delayed job waits once the project has left the group by which its user could run it', async () => {
  const scene = await openScene()
  const { coordinator, people, push, leave } = scene
  await push(people.maintainer, 'main', 'later: { script: x, when: delayed, start_in: 1 minute }')
  await leave()
  await startDueJobs(coordinator.engine, Date.now() + 2 * 60_000)
  expect(await coordinator.database.selectFrom('job').select('status').execute()).toEqual([
    { status: 'manual' },
  ])
  expect(await whatStarts(scene)).toBeUndefined()
})

test('an environment does not stop as a user whose group the project has left', async () => {
  const scene = await openScene()
  const { coordinator, people, push, leave } = scene
  const file = `
deploy: { script: x, environment: { name: production, on_stop: stop, auto_stop_in: 1 day } }
stop: { script: x, when: manual, environment: { name: production, action: stop } }
`
  await push(people.maintainer, 'main', file)
  await runToSuccess(scene, 'deploy')
  await leave()
  await stopDueEnvironments(coordinator.engine, Date.now() + 2 * DAY)
  expect(await whatStarts(scene)).toBeUndefined()
})

test('an approval of a deployment does not count once the project has left the group of its user', async () => {
  const scene = await openScene()
  const { people, call, push, leave } = scene
  const protection = {
    name: 'production',
    deploy_access_levels: [{ access_level: 30 }],
    approval_rules: [{ access_level: 40 }],
  }
  await call(people.maintainer, 'POST /protected_environments', protection)
  await push(people.maintainer, 'main', 'deploy: { script: x, environment: production }')
  const show = async () =>
    (await call(people.administrator, 'GET /deployments')).json<
      { id: number; pending_approval_count?: number; deployable: { id: number } }[]
    >()[0]!
  const { id, deployable } = await show()
  const pending = async () =>
    (await call(people.administrator, `GET /deployments/${id}`)).json<{ pending_approval_count: number }>()
      .pending_approval_count
  const approved = await call(people.owner, `POST /deployments/${id}/approval`, { status: 'approved' })
  expect([approved.statusCode, await pending()]).toEqual([201, 0])
  await leave()
  expect(await pending()).toBe(1)
  expect((await call(people.administrator, `POST /jobs/${deployable.id}/play`)).statusCode).toBe(403)
  expect(await whatStarts(scene)).toBeUndefined()
})
