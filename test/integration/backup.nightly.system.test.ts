import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, onTestFinished, test } from 'vitest'

import { createEmptyPostgres, describeOnDatabase } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { variants } from '../support/nightly.js'
import { BUCKET, S3Server } from '../support/s3-server.js'
import { tempDir } from '../support/temp-dir.js'
import { Api } from './support/api.js'
import { BusyWorker } from './support/busy-worker.js'
import { everythingShown, filesOf, type JobShown, readAll } from './support/everything-shown.js'
import { KILL_ROUNDS, kills } from './support/kill-rounds.js'
import { runSwitchyard, startSwitchyard } from './support/processes.js'
import { System } from './support/system.js'
import type { TestProject } from './support/test-project.js'
import { until } from './support/until.js'

const CI_FILE = `
build: {script: [make]}
test: {script: [make test]}
`
/** Equal for the instance and its copy, so that links are equal. */
const ENVIRONMENT = {
  SWITCHYARD_DRAIN_SECONDS: '0',
  SWITCHYARD_EXTERNAL_URL: 'http://ci.example.test',
  SWITCHYARD_LONG_POLL_SECONDS: '1',
  SWITCHYARD_LEASE_SECONDS: '600',
  SWITCHYARD_LEASE_FIRST_CONTACT_SECONDS: '600',
}

/** Where backups are. */
interface Target {
  /** Argument of the commands. */
  place: string
  /** Settings of the commands. */
  environment: Record<string, string>
  backups(): Promise<number>
}

type NamedTarget = [name: string, open: () => Promise<Target>]

const FOLDER: NamedTarget = [
  'a folder',
  async () => {
    const place = await tempDir()
    const backups = async () => (await readdir(join(place, 'backups'))).length
    return { place, environment: {}, backups }
  },
]

const IN_BUCKET: NamedTarget = [
  'a bucket',
  async () => {
    const server = await S3Server.start()
    const environment = server.environment('BACKUP', 'switchyard')
    const lists = () => [...server.objects.keys()].filter((name) => name.startsWith('switchyard/backups/'))
    const place = `s3://${BUCKET}/switchyard`
    return { place, environment, backups: () => Promise.resolve(lists().length) }
  },
]

describeOnDatabase('a backup of a running instance', (open) => {
  test.each(variants([FOLDER], [IN_BUCKET]))(
    'in %s that is killed at any moment is made again, and what is restored shows the same',
    { timeout: 240_000, repeats: KILL_ROUNDS.repeats },
    async (_name, openTarget) => {
      const { settings } = await open()
      const system = await System.start(settings, ENVIRONMENT)
      onTestFinished(() => system.stop())
      const projects = [await system.createProject(), await system.createProject()]
      await Promise.all(projects.map((project) => project.pushCi(CI_FILE)))
      const target = await openTarget()
      const run = (...args: string[]) => runSwitchyard(['admin', ...args], target.environment)
      const place = ['--data-dir', join(system.directory, 'coordinator')]
      if (settings.dialect === 'postgres') place.push('--database-url', settings.url)

      const busy = await keepBusy(system, projects)
      for (let round = 0; round < kills(6); round++) {
        const backup = startSwitchyard(['admin', 'backup', target.place, ...place], target.environment)
        await sleep(randomInt(50, 1500)) // any moment of the work
        await backup.kill('SIGKILL')
      }
      const first = await run('backup', target.place, ...place)
      expect(first).toMatchObject({ exitCode: 0, stderr: '' })
      await busy.stop()
      expect(await run('verify-backup', target.place)).toMatchObject({
        exitCode: 0,
        stderr: '',
      })
      const early = await restored(target, settings.dialect)
      await everythingOfMomentIsWhole(early, system.api)

      const running = await busy.beginOne()
      const second = await run('backup', target.place, '--keep', '1', ...place)
      expect(second).toMatchObject({ exitCode: 0, stderr: '' })
      expect(await target.backups()).toBe(1)
      expect(await run('verify-backup', target.place)).toMatchObject({
        exitCode: 0,
        stderr: '',
      })
      const late = await restored(target, settings.dialect)
      const shown = await everythingShown(system.api)
      expect(JSON.stringify(shown)).toContain(`job ${running} has begun`)
      expect(await everythingShown(late)).toEqual(shown)
    },
  )
})

/** Pushes, jobs, logs and artifacts, until `stop`. */
async function keepBusy(system: System, projects: TestProject[]) {
  const stopping = new AbortController()
  const { token } = await system.api.json<{ token: string }>('POST', '/user/runners', {
    runner_type: 'instance_type',
    run_untagged: true,
  })
  const worker = new BusyWorker(`${system.api.url}/api/v4`, token)
  const work = Promise.all([worker.run(stopping.signal), worker.run(stopping.signal)])
  const pushes = projects.map(async (project) => {
    for (let number = 0; !stopping.signal.aborted; number++)
      await project.push({ 'notes.txt': `note ${number}` }).catch((error: unknown) => {
        throw new Error(system.log(), { cause: error })
      })
  })
  const all = Promise.all([work, ...pushes])
  // A failure is reported by `stop`, and must not end the process before.
  all.catch(() => undefined)
  return {
    async stop(): Promise<void> {
      stopping.abort()
      await all
    },
    async beginOne(): Promise<number> {
      await projects[0]?.push({ 'notes.txt': 'the last note' })
      return worker.begin(AbortSignal.timeout(30_000))
    },
  }
}

/** The newest backup on another machine. */
async function restored({ place: from, environment }: Target, dialect: string): Promise<Api> {
  const dataDir = join(await tempDir(), 'restored')
  const place = ['--data-dir', dataDir]
  if (dialect === 'postgres') place.push('--database-url', await createEmptyPostgres())
  expect(await runSwitchyard(['admin', 'restore', from, ...place], environment)).toMatchObject({
    exitCode: 0,
    stderr: '',
  })
  const port = await freePort()
  const coordinator = startSwitchyard(['coordinator', '--listen', `127.0.0.1:${port}`, ...place], ENVIRONMENT)
  onTestFinished(() => coordinator.kill('SIGTERM'))
  const ended = once(coordinator.child, 'close').then(() => {
    throw new Error(coordinator.log())
  })
  const api = new Api(`http://127.0.0.1:${port}`, 'integration-administrator-token')
  await Promise.race([
    until(
      'the copy to be ready',
      () => isReady(api),
      () => coordinator.log(),
    ),
    ended,
  ])
  ended.catch(() => undefined) // at the end of the test
  return api
}

async function isReady({ url }: Api): Promise<true | undefined> {
  const response = await fetch(`${url}/-/readiness`).catch(() => undefined) // it does not listen yet
  await response?.arrayBuffer()
  return response?.ok ? true : undefined
}

/** The copy shows an earlier moment than `live`, which has gone on: each job and each push is in it whole, or not at all. */
async function everythingOfMomentIsWhole(copy: Api, live: Api): Promise<void> {
  const now = await everythingShown(live)
  let finished = 0
  for (const { id } of await readAll<{ id: number }[]>(copy, '/projects')) {
    const jobs = await readAll<JobShown[]>(copy, `/projects/${id}/jobs`)
    const liveJobs = new Map((now[`/projects/${id}/jobs`] as JobShown[]).map((job) => [job.id, job]))
    for (const job of jobs) {
      const files = await filesOf(copy, id, job)
      if (job.status === 'success') {
        // The pipeline may have gone on.
        expect(job).toEqual({ ...liveJobs.get(job.id), pipeline: job.pipeline })
        expect(now).toMatchObject(files)
        finished++
      } else {
        const trace = `/projects/${id}/jobs/${job.id}/trace`
        const log = files[trace] as string
        // The copy completes a push that was under way: its jobs have no log, and may have other IDs than in `live`.
        const liveLog = (now[trace] ?? '') as string
        expect(liveLog.slice(0, log.length)).toBe(log)
      }
    }
    await everyCommitHasPipeline(copy, id)
  }
  expect(finished).toBeGreaterThan(0)
}

/** Each push made one pipeline. One that the moment met is completed by the coordinator of the copy. */
async function everyCommitHasPipeline(api: Api, projectId: number): Promise<void> {
  const commits = await readAll<{ id: string }[]>(api, `/projects/${projectId}/repository/commits`)
  const built = () => readAll<{ sha: string }[]>(api, `/projects/${projectId}/pipelines`)
  await until('each commit to have its pipeline', async () => {
    const pipelines = (await built()).map(({ sha }) => sha)
    return commits.every(({ id }) => pipelines.includes(id)) ? true : undefined
  })
  expect((await built()).map(({ sha }) => sha).toSorted()).toEqual(commits.map(({ id }) => id).toSorted())
}
