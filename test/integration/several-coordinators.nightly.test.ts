import { randomInt } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, onTestFinished, test } from 'vitest'

import { openPostgres } from '../support/databases.js'
import { BUCKET, S3Server } from '../support/s3-server.js'
import { tempDir } from '../support/temp-dir.js'
import { Api, type JobRecord } from './support/api.js'
import { RoundRobinProxy } from './support/round-robin-proxy.js'
import { System } from './support/system.js'
import type { TestProject } from './support/test-project.js'

const COORDINATORS = 2
const JOBS = 12
const KILLS = 8
const LINES = Array.from({ length: 30 }, (_, line) => `line ${line} of a job that is still running`)

const CI_FILE = `
work:
  parallel: ${JOBS}
  script:
    - i=0; while [ $i -lt ${LINES.length} ]; do echo "line $i of a job that is still running"; i=$((i + 1)); sleep 0.1; done
    - echo "result of $CI_JOB_ID" > result.txt
  artifacts: {paths: [result.txt]}
after:
  stage: deploy
  script: [cat result.txt]
`

test('coordinators that share PostgreSQL, a bucket and a folder lose nothing when they are killed', async () => {
  const { settings } = await openPostgres()
  const s3 = await S3Server.start()
  const { credentials } = s3.settings()
  const sharedDir = await tempDir()
  const system = await System.start(settings, {
    SWITCHYARD_SHARED_DIR: sharedDir,
    SWITCHYARD_STORAGE_URL: `s3://${BUCKET}/ci`,
    SWITCHYARD_STORAGE_ENDPOINT: `http://${s3.address}`,
    SWITCHYARD_STORAGE_ACCESS_KEY_ID: credentials.accessKeyId,
    SWITCHYARD_STORAGE_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  })
  onTestFinished(() => system.stop())
  const urls = [system.api.url]
  while (urls.length < COORDINATORS) urls.push(await system.startSecondCoordinator())
  const proxy = await RoundRobinProxy.start(urls)
  onTestFinished(() => proxy.stop())
  await system.startRunner({ url: proxy.url, concurrent: 3 })
  await system.startRunner({ url: proxy.url, concurrent: 3 })

  const project = await system.createProject()
  const pipeline = await project.pushCi(CI_FILE)
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(randomInt(50, 1500)) // any moment of the work
    await system.killAndRestart(urls[kill % urls.length] ?? '')
  }
  await project.finished(pipeline)

  const path = `/projects/${project.id}/pipelines/${pipeline.id}/jobs?include_retried=true&per_page=100`
  const jobs = await system.api.json<JobRecord[]>('GET', path)
  expect(jobs).toHaveLength(JOBS + 1)
  expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['success']))
  for (const job of jobs.filter(({ name }) => name.startsWith('work'))) await isWhole(project, job, urls)
  expect([...s3.objects.keys()].filter((key) => key.includes('artifacts')).length).toBeGreaterThanOrEqual(
    JOBS,
  )
  expect(await readdir(sharedDir)).not.toContain('blobs')
  expect(await readdir(join(system.directory, 'coordinator'))).not.toContain('repositories')
})

/** Each coordinator answers the same log, with each line once, and the same artifact. */
async function isWhole(project: TestProject, job: JobRecord, urls: readonly string[]): Promise<void> {
  const logs = new Set<string>()
  for (const url of urls) {
    const api = new Api(url, 'integration-administrator-token')
    logs.add(await api.trace(project.id, job.id))
    const result = await api.request('GET', `/projects/${project.id}/jobs/${job.id}/artifacts/result.txt`)
    expect(await result.text()).toBe(`result of ${job.id}\n`)
  }
  const [log = ''] = logs
  expect(logs.size).toBe(1)
  expect(log.split('\n').filter((line) => line.startsWith('line '))).toEqual(LINES)
}
