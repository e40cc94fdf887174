import { once } from 'node:events'
import { request as httpRequest } from 'node:http'

import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { loadRunnerProfile } from '../../../src/coordinator/ci/queue/runner-profile.js'
import { storeVersion } from '../../../src/coordinator/database/store-version.js'
import { measureDatabase } from '../../../src/coordinator/database/timings.js'
import { API_PREFIX } from '../../../src/coordinator/http/app.js'
import { NoBody, operation, respond } from '../../../src/coordinator/http/operation.js'
import { RepeatedResponses } from '../../../src/coordinator/http/repeated-responses.js'
import { deferred } from '../../../src/lib/deferred.js'
import { describeOnEachDatabase, openSqlite } from '../../support/databases.js'
import {
  type CiCoordinator,
  joinCoordinator,
  pushPipeline,
  startCiCoordinator,
} from '../support/ci-coordinator.js'
import { INFO, RunnerClient } from '../support/runner-client.js'
import { openApp } from '../support/test-app.js'

const MINUTE = 60_000

/** An app with an operation that responds with the number of its calls, repeatable for a minute. */
async function openCounting() {
  const { database } = await openSqlite()
  const clock = { now: 0 }
  const made = { count: 0, wait: async (): Promise<void> => undefined }
  const poll = operation('POST /poll', {
    summary: 'Poll',
    access: 'anyone',
    params: Type.Object({ name: Type.String(), once: Type.Optional(Type.Boolean()) }),
    responses: { 204: NoBody },
    repeatable: true,
    run: async ({ params }) => {
      const headers = { 'x-count': String(++made.count) }
      const until = clock.now + MINUTE
      await made.wait()
      return respond(204, undefined, headers, params.once ? undefined : until)
    },
  })
  const repeatedResponses = new RepeatedResponses(
    () => storeVersion(database),
    () => clock.now,
  )
  const { app } = openApp(database, [poll], { repeatedResponses })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const send = (body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}${API_PREFIX}/poll`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  /** The number of the call that made the response. */
  const ask = async (body: object = { name: 'a' }, headers: Record<string, string> = {}) => {
    const response = await send(body, headers)
    return response.ok ? Number(response.headers.get('x-count')) : response.status
  }
  const write = () => database.insertInto('instance_setting').values({ key: 'a', value: '' }).execute()
  return { app, url, clock, made, send, ask, write }
}

describe('a repeatable operation', () => {
  test('is served again until a commit or the end of the time', async () => {
    const { ask, clock, write } = await openCounting()
    expect([await ask(), await ask(), await ask()]).toEqual([1, 1, 1])
    await write()
    expect([await ask(), await ask()]).toEqual([2, 2])
    clock.now += MINUTE
    expect([await ask(), await ask()]).toEqual([3, 3])
  })

  test('is called for requests that differ, and for those that it does not repeat', async () => {
    const { ask } = await openCounting()
    expect(await ask()).toBe(1)
    expect(await ask({ name: 'b' })).toBe(2)
    expect(await ask({ name: 'a' }, { 'user-agent': 'another' })).toBe(3)
    expect(await ask({ name: 'a', once: true })).toBe(4)
    expect(await ask({ name: 'a', once: true })).toBe(5)
    expect(await ask({ name: 'a' }, { 'private-token': 'unknown' })).toBe(401)
    expect(await ask({})).toBe(400)
    expect(await ask()).toBe(1)
  })

  test('is called for each of the requests that arrive during a commit, whose responses are not repeated', async () => {
    const { ask, made, write } = await openCounting()
    const gate = deferred()
    made.wait = () => gate.promise
    const asked = ask()
    await expect.poll(() => made.count).toBe(1)
    await write()
    gate.resolve()
    expect(await asked).toBe(1)
    expect(await ask()).toBe(2)
  })

  test('has the same headers, log and metrics when it is served again', async () => {
    const { url, send } = await openCounting()
    const headersOf = async (headers?: Record<string, string>) => {
      const response = await send({ name: 'a' }, headers)
      return Object.fromEntries(response.headers)
    }
    const { 'x-request-id': id, 'x-runtime': runtime, date: _date, ...first } = await headersOf()
    const {
      'x-request-id': secondId,
      'x-runtime': secondRuntime,
      date: _later,
      ...second
    } = await headersOf()
    expect(second).toEqual(first)
    expect([id, secondId]).toEqual([
      expect.stringMatching(/^[\da-f]{32}$/),
      expect.not.stringMatching(id ?? ''),
    ])
    expect([runtime, secondRuntime].every((text) => /^\d+\.\d{6}$/.test(text ?? ''))).toBe(true)
    expect(await headersOf({ 'x-request-id': 'mine' })).toMatchObject({
      'x-request-id': 'mine',
      'x-count': '1',
    })
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain(
      `switchyard_http_request_duration_seconds_count{method="POST",route="${API_PREFIX}/poll",status="204"} 3`,
    )
  })

  test('reads a body that arrives after the headers, or without a length', async () => {
    const { app, url, ask } = await openCounting()
    await ask()
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const body = JSON.stringify({ name: 'late' })
    const request = httpRequest(`${url}${API_PREFIX}/poll`, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    })
    request.flushHeaders()
    await once(app.server, 'request')
    request.end(body)
    const [response] = (await once(request, 'response')) as [{ statusCode: number }]
    expect(response.statusCode).toBe(204)
    const chunked = await fetch(`${url}${API_PREFIX}/poll`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([body]).stream(),
      duplex: 'half',
    })
    expect(chunked.headers.get('x-count')).toBe('3')
  })
})

/** A runner whose requests without a job are served again, and the number of statements that the last one took. */
async function idleRunner(
  coordinator: CiCoordinator,
  url = coordinator.url,
  database = coordinator.database,
) {
  const { token } = await RunnerClient.register(coordinator)
  const runner = new RunnerClient(url, token)
  const taken = { statements: 0 }
  const ignore = (): void => undefined
  measureDatabase(database, {
    statement: () => taken.statements++,
    transaction: ignore,
    transactionWait: ignore,
  })
  const ask = async (parameters: Record<string, unknown> = {}) => {
    taken.statements = 0
    const { status } = await runner.request(parameters)
    return { status, statements: taken.statements }
  }
  await ask() // stores the contact
  expect((await ask()).statements).toBeGreaterThan(1)
  await expect.poll(() => ask()).toEqual(REPEATED)
  return { ask, row: () => runnerRow(coordinator) }
}

/** The only statement reads the version of the store. It takes another request if something is committed in the background. */
const REPEATED = { status: 204, statements: 1 }

async function runnerRow({ database }: CiCoordinator) {
  return database.selectFrom('runner').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
}

describeOnEachDatabase('a runner without a job', (open) => {
  test('gets a job that another coordinator makes pending, and is refused once it is deleted there', async () => {
    const coordinator = await startCiCoordinator({}, open)
    const other = await joinCoordinator(coordinator)
    const { ask, row } = await idleRunner(coordinator, other.url, other.database)
    await pushPipeline(coordinator, 'build: { script: [make] }')
    expect((await ask()).status).toBe(201)
    expect((await ask()).status).toBe(204)
    await expect.poll(() => ask()).toEqual(REPEATED)
    await coordinator.database
      .deleteFrom('runner')
      .where('id', '=', (await row()).id)
      .execute()
    expect((await ask()).status).toBe(403)
  })
})

describe('a runner without a job', () => {
  test('gets nothing while it is paused, and the job afterwards', async () => {
    const coordinator = await startCiCoordinator()
    const { ask, row } = await idleRunner(coordinator)
    const { id } = await row()
    const pause = (active: boolean) =>
      coordinator.database.updateTable('runner').set({ active }).where('id', '=', id).execute()
    await pause(false)
    await pushPipeline(coordinator, 'build: { script: [make] }')
    expect((await ask()).status).toBe(204)
    await expect.poll(() => ask()).toEqual(REPEATED)
    await pause(true)
    expect((await ask()).status).toBe(201)
  })

  test('gets a job that was left to a better runner which does not take it', async () => {
    const coordinator = await startCiCoordinator()
    const { queue } = coordinator.engine
    const { ask, row } = await idleRunner(coordinator)
    const profile = await loadRunnerProfile(coordinator.database, await row())
    const better = queue.wait({ ...profile, runnerId: 0, weight: profile.weight + 1 })
    await pushPipeline(coordinator, 'build: { script: [make] }')
    for (let time = 0; time < 3; time++) expect((await ask()).status).toBe(204)
    better.close()
    expect((await ask()).status).toBe(201)
  })

  describe('at a later time', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
    afterEach(() => void vi.useRealTimers())

    test('has its contact stored as often as before, and its changed version at once', async () => {
      const { ask, row } = await idleRunner(await startCiCoordinator())
      const { contacted_at: first } = await row()
      vi.setSystemTime(Number(first) + 5 * MINUTE - 1)
      await expect.poll(() => ask()).toEqual(REPEATED)
      vi.setSystemTime(Number(first) + 5 * MINUTE)
      await ask()
      expect(await row()).toMatchObject({ contacted_at: Number(first) + 5 * MINUTE })
      await ask({ info: { ...INFO, version: '20.0.0' } })
      expect(await row()).toMatchObject({ version: '20.0.0' })
    })

    test('is refused as soon as its token has expired', async () => {
      const coordinator = await startCiCoordinator()
      const { ask, row } = await idleRunner(coordinator)
      const { id } = await row()
      const token_expires_at = Date.now() + MINUTE
      await coordinator.database
        .updateTable('runner')
        .set({ token_expires_at })
        .where('id', '=', id)
        .execute()
      await ask()
      vi.setSystemTime(token_expires_at - 1)
      await expect.poll(() => ask()).toEqual(REPEATED)
      vi.setSystemTime(token_expires_at)
      expect((await ask()).status).toBe(403)
    })
  })
})
