import { randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, onTestFinished, test } from 'vitest'

import { connectDatabase } from '../../src/coordinator/database/connect.js'
import { S3Server } from '../support/s3-server.js'
import { artifactOf, BusyWorker, logOf } from './support/busy-worker.js'
import { filesOf, type JobShown } from './support/everything-shown.js'
import { System } from './support/system.js'
import { until } from './support/until.js'

const KILLS = 8
const CI_FILE = `
build: {script: [make]}
test: {script: [make test]}
`
/** A job of a killed coordinator stays with its runner. */
const ENVIRONMENT = {
  SWITCHYARD_LONG_POLL_SECONDS: '1',
  SWITCHYARD_LEASE_SECONDS: '600',
  SWITCHYARD_LEASE_FIRST_CONTACT_SECONDS: '600',
}

test('a coordinator whose files are in a bucket loses none and no byte of a log when it is killed', async () => {
  const s3 = await S3Server.start()
  const system = await System.start(undefined, { ...ENVIRONMENT, ...s3.environment('STORAGE', 'ci') })
  onTestFinished(() => system.stop())
  const project = await system.createProject()
  await project.pushCi(CI_FILE)
  const { token } = await system.api.json<{ token: string }>('POST', '/user/runners', {
    runner_type: 'instance_type',
    run_untagged: true,
  })
  const stopping = new AbortController()
  // Each request listens until its memory is collected.
  setMaxListeners(0, stopping.signal)
  onTestFinished(() => stopping.abort())
  const workers = Array.from({ length: 3 }, () => new BusyWorker(`${system.api.url}/api/v4`, token, true))
  const work = Promise.all(workers.map((worker) => worker.run(stopping.signal)))
  work.catch(() => undefined) // is reported at the end
  for (let kill = 0; kill < KILLS; kill++) {
    for (let pipeline = 0; pipeline < 3; pipeline++) {
      await system.api.json('POST', `/projects/${project.id}/pipeline`, { ref: 'main' })
    }
    await sleep(randomInt(50, 1500)) // any moment of the work
    await system.killCoordinator()
    await letLogsBeDue(system)
    await system.startCoordinator()
  }
  const last = await system.api.json<{ id: number }>('POST', `/projects/${project.id}/pipeline`, {
    ref: 'main',
  })
  await until('a pipeline after the last kill', async () => {
    const path = `/projects/${project.id}/pipelines/${last.id}`
    const { status } = await system.api.json<{ status: string }>('GET', path)
    return status === 'success' ? true : undefined
  })
  stopping.abort()
  const finished = (await work).flat()
  expect(finished.length).toBeGreaterThan(KILLS)
  expect(new Set(finished).size).toBe(finished.length)

  await system.killCoordinator()
  await letLogsBeDue(system)
  await killWhileLogIsMoved(system, s3)
  await system.startCoordinator()
  await until(
    'all logs to be in the bucket',
    async () => {
      const stored = await inDatabase(system, (database) =>
        database.selectFrom('stored_log').select('job_id').where('blob_key', 'is not', null).execute(),
      )
      const ids = new Set(stored.map(({ job_id }) => job_id))
      return finished.every((id) => ids.has(id)) ? true : undefined
    },
    () => system.log(),
  )
  for (const id of finished) {
    const job = await system.api.json<JobShown>('GET', `/projects/${project.id}/jobs/${id}`)
    expect(job.status).toBe('success')
    expect(await filesOf(system.api, project.id, job)).toEqual({
      [`/projects/${project.id}/jobs/${id}/trace`]: logOf(id),
      [`/projects/${project.id}/jobs/${id}/artifacts`]: [200, artifactOf(id)],
    })
  }
})

/** The logs of jobs that have ended are moved at the start of the next coordinator; that of a killed move a minute later. */
async function letLogsBeDue(system: System): Promise<void> {
  await inDatabase(system, async (database) => {
    await database.updateTable('job').set({ finished_at: 1 }).where('finished_at', '>', 1).execute()
  })
}

/** Starts the coordinator, and kills it while the bucket has the bytes of a log and has not served. */
async function killWhileLogIsMoved(system: System, s3: S3Server): Promise<void> {
  const moving = new Promise<void>((resolve) => {
    s3.misbehave(({ method, url }) => {
      const isMove = method === 'PUT' && url.includes('/ci/traces/')
      if (isMove) resolve()
      return isMove
    }, 'no-response')
  })
  await system.startCoordinator()
  await moving
  await system.killCoordinator()
  const claimed = await inDatabase(system, (database) =>
    database.selectFrom('stored_log').select('job_id').where('upload_key', 'is not', null).execute(),
  )
  // The kills before may have left others.
  expect(claimed.length).toBeGreaterThan(0)
}

async function inDatabase<T>(
  system: System,
  use: (database: ReturnType<typeof connectDatabase>) => Promise<T>,
): Promise<T> {
  const database = connectDatabase({
    dialect: 'sqlite',
    file: join(system.directory, 'coordinator', 'switchyard.db'),
  })
  try {
    return await use(database)
  } finally {
    await database.destroy()
  }
}
