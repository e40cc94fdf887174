import { expect, test } from 'vitest'

import { testAtNight } from '../../../support/nightly.js'
import {
  type CiCoordinator,
  ciCoordinatorForFile,
  jobNamed,
  pushPipeline,
} from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addPerson, type Person } from '../../support/test-app.js'

const openCoordinator = ciCoordinatorForFile()

const CI_FILE = `
stages: [build, test stage, deploy/prod]
compile: { stage: build, script: x }
unit: { stage: test stage, script: x }
deploy: { stage: deploy/prod, script: x, when: manual }
pay: { stage: deploy/prod, script: x, when: manual, environment: production }
`

async function openScene() {
  const coordinator = await openCoordinator()
  const runner = await RunnerClient.register(coordinator)
  const pipeline = await pushPipeline(coordinator, CI_FILE)
  const run = async (state: string) => runner.update(await runner.takeJob(), state)
  await run('success')
  const path = `/projects/${coordinator.project.id}/pipelines/${pipeline.id}`
  const act = (as: Person, action: string, body?: object) =>
    coordinator.app.call(as, `POST ${path}/${action}`, body)
  return { ...coordinator, coordinator, pipeline, run, act }
}

async function developerOf({ database, project }: CiCoordinator): Promise<Person> {
  const person = await addPerson(database, 'dev')
  const created_at = Date.now()
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: person.id, access_level: 30, created_at })
    .execute()
  return person
}

test('a stage is retried by its name, and the response names the new jobs', async () => {
  const { admin, coordinator, pipeline, run, act } = await openScene()
  await run('failed')
  const retried = await act(admin, 'stages/test%20stage/retry')
  expect(retried.statusCode).toBe(201)
  const { id } = await jobNamed(coordinator, 'unit')
  expect(retried.json()).toEqual({
    pipeline: { id: pipeline.id, status: 'running' },
    jobs: [{ id, name: 'unit', status: 'pending' }],
    refused: [],
  })
  const again = await act(admin, 'stages/test%20stage/retry')
  expect(again.statusCode).toBe(400)
  expect(again.json()).toEqual({ message: '400 Bad request - No job of the stage can be retried' })
  expect((await act(admin, 'stages/other/retry')).json()).toEqual({ message: '404 Stage Not Found' })
})

test('the manual jobs of a stage start, apart from those that the user may not start', async () => {
  const { admin, app, coordinator, project, run, act } = await openScene()
  const developer = await developerOf(coordinator)
  const protection = { name: 'production', deploy_access_levels: [{ access_level: 40 }] }
  await app.call(admin, `POST /projects/${project.id}/protected_environments`, protection)
  expect((await act(developer, 'stages/deploy%2Fprod/play')).statusCode).toBe(400)
  await run('success')
  const pay = await jobNamed(coordinator, 'pay')
  expect((await act(developer, 'stages/deploy%2Fprod/play')).json()).toMatchObject({
    jobs: [{ name: 'deploy', status: 'pending' }],
    refused: [
      {
        id: pay.id,
        name: 'pay',
        message: 'The environment is protected, and you are not among its deployers',
      },
    ],
  })
  const refused = await act(developer, 'play')
  expect(refused.statusCode).toBe(403)
  expect(refused.json()).toEqual({
    message: '403 Forbidden - The environment is protected, and you are not among its deployers',
  })
  const played = await act(admin, 'play')
  expect(played.statusCode).toBe(200)
  expect(played.json()).toMatchObject({ jobs: [{ name: 'pay', status: 'pending' }], refused: [] })
})

test('a stage is canceled, and once more without an effect', async () => {
  const { admin, act } = await openScene()
  const canceled = await act(admin, 'stages/test%20stage/cancel')
  expect(canceled.statusCode).toBe(200)
  expect(canceled.json()).toMatchObject({ jobs: [{ name: 'unit', status: 'canceled' }] })
  expect((await act(admin, 'stages/test%20stage/cancel')).json()).toMatchObject({ jobs: [] })
})

testAtNight('a pipeline is retried from a stage, or for given jobs of its own', async () => {
  const { admin, coordinator, act, run } = await openScene()
  const compile = await jobNamed(coordinator, 'compile')
  await run('failed')
  const unit = await jobNamed(coordinator, 'unit')
  expect((await act(admin, 'retry', { jobs: [compile.id, 123_456] })).json()).toEqual({
    message: '404 Job Not Found',
  })
  expect((await act(admin, 'retry', { jobs: [compile.id], from_stage: 'build' })).statusCode).toBe(400)
  expect((await act(admin, 'retry', { from_stage: 'other' })).statusCode).toBe(404)
  const given = await act(admin, 'retry', { jobs: [compile.id, compile.id] })
  expect(given.statusCode).toBe(201)
  expect(given.json()).toMatchObject({ status: 'running' })
  expect(await jobNamed(coordinator, 'compile')).toMatchObject({ status: 'pending' })
  expect(await jobNamed(coordinator, 'unit')).toMatchObject({ id: unit.id })
  const again = await act(admin, 'retry', { jobs: [compile.id] })
  expect(again.json()).toEqual({ message: `403 Forbidden - Job ${compile.id} is not retryable` })
  await run('success')
  expect((await act(admin, 'retry', { from_stage: 'build', only_failed: true })).statusCode).toBe(201)
  expect(await jobNamed(coordinator, 'unit')).toMatchObject({ status: 'pending' })
  await run('success')
  expect((await act(admin, 'retry', { from_stage: 'test stage' })).statusCode).toBe(201)
  expect((await jobNamed(coordinator, 'unit')).status).toBe('pending')
})
