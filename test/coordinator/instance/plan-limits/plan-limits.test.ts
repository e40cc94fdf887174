import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { checkHierarchyLimits } from '../../../../src/coordinator/ci/engine/downstream/prepare-downstream.js'
import { uploadDotenv } from '../../../../src/coordinator/ci/jobs/artifacts/upload-dotenv.js'
import { INSTANCE } from '../../../../src/coordinator/ci/variables/owner.js'
import { createVariable } from '../../../../src/coordinator/ci/variables/variables.js'
import {
  PLAN_LIMITS,
  type PlanLimits,
  setPlanLimits,
} from '../../../../src/coordinator/database/stores/plan-limit-store.js'
import { planLimitOperations } from '../../../../src/coordinator/instance/plan-limits/operations.js'
import { openForFile } from '../../../support/lifetime.js'
import { startCiCoordinator } from '../../support/ci-coordinator.js'
import { addPerson } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

const PATH = '/application/plan_limits'

test('limits are shown and changed by administrators, and are those of the configuration until then', async () => {
  const pipelines = { jobsPerPipeline: 7, activeJobs: 9, deploymentsPerPipeline: 1, pipelinesPerMinute: 1 }
  const services = await openTestServices({ settings: { pipelines } })
  const app = openTestApp(services, { operations: (all) => planLimitOperations(all) })
  const root = await addPerson(services.database, 'root', { admin: true })
  const configured = { ...PLAN_LIMITS, ci_pipeline_size: 7, ci_active_jobs: 9 }
  expect((await app.call(root, `GET ${PATH}?plan_name=default`)).json()).toEqual(configured)
  const changes = { ci_pipeline_size: 0, npm_max_file_size: 5 }
  const changed = await app.call(root, `PUT ${PATH}`, { plan_name: 'default', ...changes })
  expect([changed.statusCode, changed.json()]).toEqual([200, { ...configured, ...changes }])
  expect((await app.call(root, `GET ${PATH}`)).json()).toEqual({ ...configured, ...changes })
  const statusOf = async (body: object) => (await app.call(root, `PUT ${PATH}`, body)).statusCode
  expect(await statusOf(changes)).toBe(400)
  expect(await statusOf({ plan_name: 'gold', ...changes })).toBe(400)
  expect(await statusOf({ plan_name: 'default', dotenv_size: -1 })).toBe(400)
  expect(await statusOf({ plan_name: 'default', dotenv_size: 'many' })).toBe(400)
})

const shared = openForFile(async () => {
  const coordinator = await startCiCoordinator()
  const { database, project } = coordinator
  const maintainer = await addPerson(database, 'max')
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: maintainer.id, access_level: 40, created_at: 0 })
    .execute()
  return {
    coordinator,
    maintainer,
    limit: (limits: Partial<PlanLimits>) => setPlanLimits(database, limits),
    post: async (path: string, body: object) => {
      const route = `POST /projects/${project.id}${path}`
      const { statusCode, body: text } = await coordinator.app.call(maintainer, route, body)
      return `${statusCode} ${text}`
    },
  }
})

const CI_FILE = 'a: { script: x }\nb: { script: x }\nc: { script: x, needs: [a, b] }'

test('changed limits of jobs and needs hold for the next pipeline', async () => {
  const { coordinator, limit, post } = shared()
  coordinator.repositories.ciFile = CI_FILE
  const create = () => post('/pipeline', { ref: 'main' })
  await limit({ ci_pipeline_size: 2 })
  expect(await create()).toMatch(/^400 .*The number of jobs has exceeded the limit of 2/)
  await limit({ ci_pipeline_size: 0, ci_active_jobs: 2 })
  expect(await create()).toMatch(/^400 .*exceeded the allowed number of jobs in active pipelines/)
  await limit({ ci_active_jobs: 0, ci_needs_size_limit: 1 })
  expect(await create()).toMatch(/^400 .*c: one job can only need 1 others, but you have listed 2/)
  await limit({ ci_needs_size_limit: 0 })
  expect(await create()).toMatch(/^201 /)
})

test('changed limits of hierarchies, schedules, variables and dotenv reports hold at once', async () => {
  const { coordinator, maintainer, limit, post } = shared()
  const { database, engine } = coordinator
  coordinator.repositories.ciFile = CI_FILE
  await post('/pipeline', { ref: 'main' })
  const pipeline = await database.selectFrom('pipeline').selectAll().executeTakeFirstOrThrow()
  const problemOfHierarchy = () =>
    checkHierarchyLimits(database, pipeline, maintainer.id, {
      depth: 1,
      hierarchyRootId: pipeline.id,
      rootId: pipeline.id,
    })
  expect(await problemOfHierarchy()).toBeUndefined()
  await limit({ pipeline_hierarchy_size: 1, ci_pipeline_schedules: 1, ci_instance_level_variables: 1 })
  expect(await problemOfHierarchy()).toMatchObject({
    errors: expect.stringContaining('at most 1 pip') as string,
  })

  const schedule = { description: 'x', ref: 'main', cron: '0 4 * * *' }
  expect(await post('/pipeline_schedules', schedule)).toMatch(/^201 /)
  expect(await post('/pipeline_schedules', schedule)).toMatch(/^400 .*pipeline schedules \(1\) exceeded/)

  const add = (key: string) => createVariable(engine, INSTANCE, { key, value: 'x' })
  await add('A')
  await expect(add('B')).rejects.toMatchObject({ status: 400 })

  const upload = () =>
    uploadDotenv(engine, 1, Readable.from([gzipSync('A=1\nB=2\n')]), () =>
      Promise.reject(new Error('stored')),
    )
  await expect(upload()).rejects.toThrow('stored')
  await limit({ dotenv_variables: 1 })
  await expect(upload()).rejects.toMatchObject({ status: 400 })
  await limit({ dotenv_variables: 2, dotenv_size: 8 })
  await expect(upload()).rejects.toMatchObject({ status: 400 })
})
