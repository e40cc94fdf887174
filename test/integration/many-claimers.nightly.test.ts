import { EventEmitter, once, setMaxListeners } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { openPostgres } from '../support/databases.js'
import { Claimer } from './support/claimer.js'
import { System } from './support/system.js'

const COORDINATORS = 3
const CLAIMERS = 9
const PROJECTS = 3
const JOBS_PER_PROJECT = 40
const KILLS = 5

let system: System
let urls: string[]

beforeEach(async () => {
  const { settings } = await openPostgres()
  // A claimer reports at once, also on a busy machine; only a job whose response died with its coordinator takes so long.
  system = await System.start(settings, { SWITCHYARD_LEASE_FIRST_CONTACT_SECONDS: '15' })
  urls = [system.api.url]
  while (urls.length < COORDINATORS) urls.push(await system.startSecondCoordinator())
})

afterEach(async () => {
  await system.stop()
})

async function registerClaimer(onFinished: (jobId: number) => void): Promise<Claimer> {
  const path = join(system.directory, 'coordinator', 'runner-registration-token')
  const registration = (await readFile(path, 'utf8')).trim()
  const { token } = await system.api.json<{ token: string }>('POST', '/runners', { token: registration })
  return new Claimer(urls, token, onFinished)
}

test('coordinators on one store dispatch no job twice and lose none, while they are killed', async () => {
  const pipelines: { projectId: number; pipelineId: number }[] = []
  for (let index = 0; index < PROJECTS; index++) {
    const project = await system.createProject()
    const pipeline = await project.pushCi(`job: {script: "true", parallel: ${JOBS_PER_PROJECT}}`)
    pipelines.push({ projectId: project.id, pipelineId: pipeline.id })
  }
  const finished = new Set<number>()
  const news = new EventEmitter()
  const untilFinished = async (count: number) => {
    while (finished.size < count) await once(news, 'finished')
  }
  const claimers: Claimer[] = []
  while (claimers.length < CLAIMERS) {
    claimers.push(
      await registerClaimer((jobId) => {
        finished.add(jobId)
        news.emit('finished')
      }),
    )
  }

  const over = new AbortController()
  // Each request listens until its memory is collected.
  setMaxListeners(0, over.signal)
  const running = Promise.all(claimers.map((claimer) => claimer.run(over.signal)))
  const total = PROJECTS * JOBS_PER_PROJECT
  const watched = (async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await untilFinished(Math.floor((total * (kill + 1)) / (KILLS + 2)))
      await system.restart(urls[kill % urls.length] ?? '', 'SIGKILL')
    }
    await untilFinished(total)
  })()
  try {
    // A claimer that lost its job ends the test at once.
    await Promise.race([watched, running])
  } finally {
    over.abort()
  }
  await running

  const received = claimers.flatMap((claimer) => claimer.received)
  expect(received.filter((id, index) => received.indexOf(id) !== index)).toEqual([])
  const jobs = await Promise.all(
    pipelines.map(({ projectId, pipelineId }) => system.api.jobs(projectId, pipelineId)),
  )
  const ids = jobs.flat().map(({ id }) => id)
  expect(ids).toHaveLength(total)
  expect([...received].sort((a, b) => a - b)).toEqual([...ids].sort((a, b) => a - b))
  expect(new Set(jobs.flat().map(({ status }) => status))).toEqual(new Set(['success']))
})
