import { expect, test } from 'vitest'

import { isWithin } from '../../../../src/coordinator/ci/predefined-variables/deploy-freeze.js'
import { openForFile } from '../../../support/lifetime.js'
import { startCiCoordinator } from '../../support/ci-coordinator.js'
import { addPerson, type Person } from '../../support/test-app.js'

/** From Friday evening to Monday morning, in winter and summer. */
const WEEKEND = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1', cron_timezone: 'Europe/Berlin' }

test.each([
  ['2026-06-05T20:59:59Z', false],
  ['2026-06-05T21:00:00Z', true],
  ['2026-06-07T12:00:00Z', true],
  ['2026-06-08T04:59:59Z', true],
  ['2026-06-08T05:00:00Z', false],
  ['2026-01-02T21:30:00Z', false],
  ['2026-01-02T22:00:00Z', true],
])('at %s, a freeze of the weekend: %s', (time, isFrozen) => {
  expect(isWithin(WEEKEND, Date.parse(time))).toBe(isFrozen)
})

test('of starts that repeat before the end, the last one counts', () => {
  const period = { freeze_start: '0 8 * * *', freeze_end: '0 18 * * 5', cron_timezone: 'UTC' }
  expect(isWithin(period, Date.parse('2026-06-03T12:00:00Z'))).toBe(true)
  expect(isWithin(period, Date.parse('2026-06-05T18:00:00Z'))).toBe(false)
})

const ALWAYS = { freeze_start: '* * * * *', freeze_end: '0 0 29 2 *' }

const shared = openForFile(() => startCiCoordinator())

/** Calls the API below the project, as its administrator by default. */
function openScene() {
  const { app, project, admin, repositories, ...coordinator } = shared()
  const call = async <T>(route: string, body?: object, as: Person = admin): Promise<[number, T]> => {
    const response = await app.call(as, route.replace(' ', ` /projects/${project.id}`), body)
    return [response.statusCode, (response.body === '' ? '' : response.json()) as T]
  }
  return { ...coordinator, app, project, repositories, call }
}

test('a pipeline that is created in a freeze period, and its jobs, have CI_DEPLOY_FREEZE', async () => {
  const { app, call, repositories, registrationToken } = openScene()
  repositories.ciFile = `
build: {script: x}
deploy: {script: x, rules: [{if: $CI_DEPLOY_FREEZE == null}]}
wait: {script: x, needs: [build], rules: [{if: $CI_DEPLOY_FREEZE == "true"}]}`
  const runner = await app.call(undefined, 'POST /runners', { token: registrationToken })
  const { token } = runner.json<{ token: string }>()
  /** The jobs of a new pipeline, and the variables of the one that a runner takes. */
  const run = async () => {
    const [, { id }] = await call<{ id: number }>('POST /pipeline', { ref: 'main' })
    const [, jobs] = await call<{ name: string }[]>(`GET /pipelines/${id}/jobs`)
    const taken = await app.call(undefined, 'POST /jobs/request', { token })
    const { variables } = taken.json<{ variables: { key: string; value: string }[] }>()
    await call(`DELETE /pipelines/${id}`)
    return {
      names: jobs.map(({ name }) => name).toSorted(),
      freeze: variables.find(({ key }) => key === 'CI_DEPLOY_FREEZE')?.value,
    }
  }
  expect(await run()).toEqual({ names: ['build', 'deploy'], freeze: undefined })
  const [, { id }] = await call<{ id: number }>('POST /freeze_periods', ALWAYS)
  expect(await run()).toEqual({ names: ['build', 'wait'], freeze: 'true' })
  const [, lint] = await call<{ jobs: { name: string }[] }>('GET /ci/lint?dry_run=true&include_jobs=true')
  expect(lint.jobs.map(({ name }) => name)).toEqual(['build', 'wait'])
  await call(`DELETE /freeze_periods/${id}`)
  expect(await run()).toMatchObject({ freeze: undefined })
})

test('freeze periods are created, listed, changed and deleted by maintainers', async () => {
  const { call, database, project } = openScene()
  const developer = await addPerson(database, 'dev')
  const membership = { project_id: project.id, user_id: developer.id, access_level: 30, created_at: 0 }
  await database.insertInto('member').values(membership).execute()
  const made = await call<{ id: number }>('POST /freeze_periods', {
    freeze_start: '0 23 * * 5',
    freeze_end: '0 7 * * 1',
  })
  const time = expect.stringMatching(/Z$/) as string
  const record = {
    id: expect.any(Number) as number,
    freeze_start: '0 23 * * 5',
    freeze_end: '0 7 * * 1',
    cron_timezone: 'UTC',
    created_at: time,
    updated_at: time,
  }
  expect(made).toEqual([201, record])
  const one = `/freeze_periods/${made[1].id}`
  expect(await call('GET /freeze_periods')).toEqual([200, [made[1]]])
  expect(await call(`GET ${one}`)).toEqual([200, made[1]])
  const changes = { freeze_end: '0 8 * * 1', cron_timezone: 'Berlin' }
  expect(await call(`PUT ${one}`, changes)).toEqual([200, { ...record, ...changes }])
  const invalid = ['is invalid syntax']
  expect(await call(`PUT ${one}`, { freeze_end: 'never' })).toEqual([
    400,
    { message: { freeze_end: invalid } },
  ])
  const nowhere = { freeze_start: '0 25 * * 5', freeze_end: '0 7 * * 1', cron_timezone: 'Nowhere' }
  expect(await call('POST /freeze_periods', nowhere)).toEqual([
    400,
    { message: { freeze_start: invalid, cron_timezone: invalid } },
  ])
  expect(await call('GET /freeze_periods', undefined, developer)).toMatchObject([403, {}])
  expect(await call(`DELETE ${one}`)).toEqual([204, ''])
  expect(await call(`DELETE ${one}`)).toEqual([404, { message: '404 Freeze Period Not Found' }])
})
