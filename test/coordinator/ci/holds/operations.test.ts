import { expect, test } from 'vitest'

import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { type CiCoordinator, pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addPerson, type Person } from '../../support/test-app.js'

async function person({ database, project }: CiCoordinator, access_level: number): Promise<Person> {
  const added = await addPerson(database, `level${access_level}`)
  const membership = { project_id: project.id, user_id: added.id, access_level, created_at: Date.now() }
  await database.insertInto('member').values(membership).execute()
  return added
}

/** A running job, and the calls of its runner about its hold. */
async function startJob(open: OpenDatabase) {
  const coordinator = await startCiCoordinator({ longPollSeconds: 50 }, open)
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'build: { script: [make] }')
  const job = await runner.takeJob()
  const path = `${coordinator.url}/jobs/${job.id}/hold`
  const send = (method: string, headers: Record<string, string>, body?: object, query = '') =>
    fetch(`${path}${query}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  const begin = async () => {
    const hold = { place: 'container 0123456789ab', has_terminal: true, seconds: 1800, max_seconds: 7200 }
    const response = await send('POST', { 'job-token': job.token }, hold)
    expect(response.status).toBe(201)
    const { token } = (await response.json()) as { token: string }
    return { 'hold-token': token }
  }
  const call = (as: Person | undefined, method: string, more = '', body?: object) =>
    coordinator.app.call(as, `${method} /projects/${coordinator.project.id}/jobs/${job.id}/hold${more}`, body)
  return { coordinator, runner, job, send, begin, call }
}

describeOnDatabase('a held job', (open) => {
  test('is shown after its end, extended up to its limit, and ended; its runner receives each change', async () => {
    const { coordinator, runner, job, send, begin, call } = await startJob(open)
    const { admin } = coordinator
    expect((await call(admin, 'GET')).statusCode).toBe(404)
    const headers = await begin()
    await runner.update(job, 'failed')
    const shown = await call(admin, 'GET')
    expect(shown.json()).toMatchObject({
      job_id: job.id,
      state: 'held',
      place: 'container 0123456789ab',
      ended_at: null,
      may_change: true,
    })

    const extended = send('GET', headers)
    expect((await call(admin, 'POST', '/extend', { seconds: 600 })).statusCode).toBe(200)
    expect(await (await extended).json()).toMatchObject({ revision: 2, has_ended: false })
    const most = await call(admin, 'POST', '/extend', { seconds: 604_800 })
    expect(most.json()).toMatchObject({ until: shown.json<{ latest: string }>().latest })

    const ended = send('GET', headers, undefined, '?revision=3')
    expect((await call(admin, 'DELETE')).statusCode).toBe(204)
    expect(await (await ended).json()).toMatchObject({ has_ended: true })
    expect((await send('DELETE', headers, { reason: 'disk' })).status).toBe(204)
    // The first reason counts.
    expect((await call(admin, 'GET')).json()).toMatchObject({ state: 'ended', end_reason: 'user' })
    expect((await call(admin, 'POST', '/extend')).statusCode).toBe(409)
  })

  test('is known to its runner alone', async () => {
    const { job, send, begin } = await startJob(open)
    expect(
      (
        await send(
          'POST',
          { 'job-token': 'wrong' },
          { place: '', has_terminal: false, seconds: 1, max_seconds: 1 },
        )
      ).status,
    ).toBe(403)
    await begin()
    const wrong: Record<string, string>[] = [{}, { 'hold-token': 'wrong' }, { 'hold-token': job.token }]
    for (const headers of wrong)
      for (const method of ['GET', 'DELETE']) expect((await send(method, headers)).status).toBe(403)
  })

  test('is changed by the person who started it and by maintainers, and seen by developers', async () => {
    const { coordinator, begin, call } = await startJob(open)
    await begin()
    const [reporter, developer, maintainer] = [
      await person(coordinator, 20),
      await person(coordinator, 30),
      await person(coordinator, 40),
    ]
    expect((await call(reporter, 'GET')).statusCode).toBe(403)
    expect((await call(developer, 'GET')).json()).toMatchObject({ may_change: false })
    expect((await call(developer, 'POST', '/extend')).statusCode).toBe(403)
    expect((await call(developer, 'DELETE')).statusCode).toBe(403)
    expect((await call(maintainer, 'POST', '/extend')).statusCode).toBe(200)
    expect((await call(maintainer, 'DELETE')).statusCode).toBe(204)
  })
})

test('jobs are held when they fail from the role on that the project names', async () => {
  const coordinator = await startCiCoordinator()
  const { database } = coordinator
  const runner = await RunnerClient.register(coordinator)
  const developer = await person(coordinator, 30)
  const user = await database
    .selectFrom('user')
    .selectAll()
    .where('id', '=', developer.id)
    .executeTakeFirstOrThrow()
  const holdOf = async (hold_failed_jobs_minimum_role: 'no_one_allowed' | 'developer' | 'maintainer') => {
    await database.updateTable('project').set({ hold_failed_jobs_minimum_role }).execute()
    const project = await database.selectFrom('project').selectAll().executeTakeFirstOrThrow()
    await pushPipeline(coordinator, 'build: { script: [make] }', { user, project })
    const { variables } = await runner.takeJob()
    return variables.find(({ key }) => key === 'SWITCHYARD_HOLD')?.value
  }
  expect(await holdOf('no_one_allowed')).toBeUndefined()
  expect(await holdOf('maintainer')).toBeUndefined()
  expect(await holdOf('developer')).toBe('failure')
})
