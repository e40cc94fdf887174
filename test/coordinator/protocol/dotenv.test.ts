import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import type { JobPayload } from '../../../src/protocol/job-payload.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../support/databases.js'
import { ciCoordinatorForFile, pushPipeline } from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'

const openCoordinator = ciCoordinatorForFile()

const FILE = `
stages: [build, test]
variables: { WHO: file }
one: { stage: build, script: [a], artifacts: { reports: { dotenv: [a.env, b.env] } } }
two: { stage: build, script: [a], artifacts: { reports: { dotenv: build.env } } }
all: { stage: test, script: [b] }
named: { stage: test, script: [b], dependencies: [one] }
none: { stage: test, script: [b], dependencies: [] }
needs: { stage: test, script: [b], needs: [two, { job: one, artifacts: false }] }
`

/** What a runner announces that can send more than the archive. */
const REPORTS = { info: { features: { upload_multiple_artifacts: true } } }

async function start(open: OpenDatabase = openSqlite) {
  const coordinator = await openCoordinator(open)
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, FILE)
  const upload = (job: JobPayload, content: Buffer | string) =>
    runner.upload(job, Buffer.isBuffer(content) ? content : gzipSync(content), {
      query: 'artifact_type=dotenv&artifact_format=gzip',
      filename: '.env.gz',
    })
  return { coordinator, runner, upload }
}

/** What each job of the second stage sees of some variables. */
async function seenBy(runner: RunnerClient, keys: string[]): Promise<Record<string, Record<string, string>>> {
  const seen: Record<string, Record<string, string>> = {}
  for (let job = 0; job < 4; job++) {
    const { job_info, variables } = await runner.takeJob(REPORTS)
    const wanted = variables.filter(({ key }) => keys.includes(key))
    seen[job_info.name] = Object.fromEntries(wanted.map(({ key, value }) => [key, value]))
  }
  return seen
}

test('the report is wanted from the runner as one packed file, whatever the script does', async () => {
  const { runner } = await start()
  const { artifacts } = await runner.takeJob(REPORTS)
  expect(artifacts).toEqual([
    {
      name: '.env',
      untracked: false,
      paths: ['a.env', 'b.env'],
      when: 'always',
      expire_in: null,
      artifact_type: 'dotenv',
      artifact_format: 'gzip',
    },
  ])
})

describeOnDatabase('variables of a dotenv report', (open) => {
  test('reach the jobs that fetch the artifacts of their job, over those of the file', async () => {
    const { runner, upload } = await start(open)
    const one = await runner.takeJob(REPORTS)
    const two = await runner.takeJob(REPORTS)
    const files = Buffer.concat([gzipSync('WHO=one'), gzipSync('ONE=1\nDEEP=$ONE-$WHO\n')])
    expect((await upload(one, files)).status).toBe(201)
    expect((await upload(two, 'WHO=two')).status).toBe(201)
    expect((await upload(two, 'WHO=two')).status).toBe(201)
    await runner.update(one, 'success')
    await runner.update(two, 'success')
    expect(await seenBy(runner, ['WHO', 'ONE', 'DEEP'])).toEqual({
      all: { WHO: 'two', ONE: '1', DEEP: '1-two' },
      named: { WHO: 'one', ONE: '1', DEEP: '1-one' },
      none: { WHO: 'file' },
      needs: { WHO: 'two' },
    })
  })

  test('are stored encrypted, and are gone when the job is erased', async () => {
    const { coordinator, runner, upload } = await start(open)
    const one = await runner.takeJob(REPORTS)
    await upload(one, 'SECRET=very-visible')
    const rows = await coordinator.database.selectFrom('job_variable').selectAll().execute()
    expect(rows).toMatchObject([{ key: 'SECRET', source: 'dotenv', job_id: one.id }])
    expect(JSON.stringify(rows)).not.toContain('very-visible')
    await runner.update(one, 'success')
    const path = `/projects/${coordinator.project.id}/jobs/${one.id}/erase`
    expect((await coordinator.app.call(coordinator.admin, `POST ${path}`)).statusCode).toBe(201)
    expect(await coordinator.database.selectFrom('job_variable').selectAll().execute()).toEqual([])
  })
})

test('settings variables win over them', async () => {
  const { coordinator, runner, upload } = await start()
  const { database, engine, project } = coordinator
  await database
    .insertInto('ci_variable')
    .values({
      project_id: project.id,
      key: 'WHO',
      value_encrypted: engine.secrets.encrypt('settings'),
      variable_type: 'env_var',
      created_at: 0,
      updated_at: 0,
    })
    .execute()
  const one = await runner.takeJob(REPORTS)
  const two = await runner.takeJob(REPORTS)
  await upload(one, 'WHO=one')
  await runner.update(one, 'success')
  await runner.update(two, 'success')
  expect((await seenBy(runner, ['WHO']))['all']).toEqual({ WHO: 'settings' })
})

test.each([
  ['a line that is no assignment', 'A=1\noops', 'Invalid Format'],
  ['what is not packed', Buffer.from('A=1'), 'Invalid Format'],
  ['a file of 5120 bytes', `A=${'x'.repeat(5118)}`, 'Dotenv Artifact Too Big. Maximum Allowable Size: 5120'],
  ['a bomb', gzipSync(Buffer.alloc(20_000_000)), 'Dotenv Artifact Too Big. Maximum Allowable Size: 5120'],
  [
    'very many packed bytes',
    Buffer.alloc(70_000, 'x'),
    'Dotenv Artifact Too Big. Maximum Allowable Size: 5120',
  ],
])('%s is refused, and nothing is stored', async (_name, content, reason) => {
  const { coordinator, runner, upload } = await start()
  const job = await runner.takeJob(REPORTS)
  const response = await upload(job, content)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ message: `400 Bad request - ${reason}` })
  expect(await coordinator.artifacts.find(job.id, 'dotenv')).toBeUndefined()
  expect((await upload(job, `A=${'x'.repeat(5117)}`)).status).toBe(201)
})
