import { expect, test } from 'vitest'

import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { openBadgeApp } from '../../support/badges.js'
import { ciCoordinatorForFile, pushPipeline } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addPerson, type Person } from '../../support/test-app.js'

const openCoordinator = ciCoordinatorForFile()

async function start(open: OpenDatabase = openSqlite) {
  const coordinator = await openCoordinator(open)
  const { admin } = coordinator
  const { app } = openBadgeApp(coordinator)
  const get = (path: string, as: Person | 'nobody' = admin) =>
    app.inject({
      method: 'GET',
      url: `/group/app/${path}`,
      headers: as === 'nobody' ? {} : { 'private-token': as.token },
    })
  const textOf = async (path: string) => /<title>(.*)<\/title>/.exec((await get(path)).body)?.[1]
  const runner = await RunnerClient.register(coordinator)
  /** Runs one job to its end. */
  const run = async (log: string, state: 'success' | 'failed' = 'success') => {
    const job = await runner.takeJob()
    await runner.patch(job, `0-${log.length}`, log)
    await runner.update(job, state, { failure_reason: 'script_failure' })
  }
  return { coordinator, get, textOf, run }
}

const FILE = `
unit: { script: [a], coverage: '/(\\d+)%/' }
slow: { script: [a], coverage: '/(\\d+)%/', allow_failure: true }
`

describeOnDatabase('badges', (open) => {
  test('show the release that is out last', async () => {
    const { coordinator, textOf } = await start(open)
    const { id: project_id } = coordinator.project
    const release = (tag: string, released_at: number) => {
      const at = { created_at: 1, updated_at: 1, released_at }
      return { project_id, tag, name: tag, description: null, sha: 'a', author_id: null, ...at }
    }
    expect(await textOf('-/badges/release.svg')).toBe('latest release: none')
    const releases = [release('v2', 20), release('v1', 10), release('v3', Date.now() + 3_600_000)]
    await coordinator.database.insertInto('release').values(releases).execute()
    expect(await textOf('-/badges/release.svg')).toBe('latest release: v2')
  })

  test('show the newest pipeline of a branch', async () => {
    const { coordinator, textOf, run } = await start(open)
    expect(await textOf('badges/main/pipeline.svg')).toBe('pipeline: unknown')
    await pushPipeline(coordinator, FILE)
    expect(await textOf('badges/main/pipeline.svg')).toBe('pipeline: pending')
    await run('90%')
    expect(await textOf('badges/main/pipeline.svg')).toBe('pipeline: running')
    await run('80%', 'failed')
    expect(await textOf('badges/main/pipeline.svg')).toBe('pipeline: passed')
    expect(await textOf('badges/other/pipeline.svg')).toBe('pipeline: unknown')
    await pushPipeline(coordinator, FILE, { skip: true })
    expect(await textOf('badges/main/pipeline.svg')).toBe('pipeline: skipped')
    expect(await textOf('badges/main/pipeline.svg?ignore_skipped=true')).toBe('pipeline: passed')
  })

  testAtNight('show the coverage of the newest successful pipeline, or of one job of it', async () => {
    const { coordinator, textOf, run } = await start(open)
    expect(await textOf('badges/main/coverage.svg')).toBe('coverage: unknown')
    await pushPipeline(coordinator, FILE)
    await run('90%')
    await run('81%', 'failed')
    await pushPipeline(coordinator, FILE)
    await run('10%', 'failed')
    await run('20%')
    expect(await textOf('badges/main/coverage.svg')).toBe('coverage: 85.50%')
    expect(await textOf('badges/main/coverage.svg?job=unit&key_text=unit')).toBe('unit: 90.00%')
    expect(await textOf('badges/main/coverage.svg?job=none')).toBe('coverage: unknown')
  })
})

test('a badge is an image that is not cached', async () => {
  const { get } = await start()
  const { statusCode, headers } = await get('badges/main/pipeline.svg')
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': expect.stringContaining('no-store') as string,
    'x-content-type-options': 'nosniff',
  })
})

test.each([
  ['private', true, { anonymous: 404, stranger: 404, guest: 200, admin: 200 }],
  ['private', false, { anonymous: 404, stranger: 404, guest: 404, admin: 200 }],
  ['internal', true, { anonymous: 404, stranger: 200, guest: 200, admin: 200 }],
  ['internal', false, { anonymous: 404, stranger: 404, guest: 404, admin: 200 }],
  ['public', true, { anonymous: 200, stranger: 200, guest: 200, admin: 200 }],
  ['public', false, { anonymous: 404, stranger: 404, guest: 404, admin: 200 }],
] as const)(
  'of a %s project with public_jobs %s they are seen by',
  async (visibility, publicJobs, expected) => {
    const { coordinator, get } = await start()
    const { database, project, admin } = coordinator
    await database.updateTable('project').set({ visibility, public_jobs: publicJobs }).execute()
    const [stranger, guest] = [await addPerson(database, 'stranger'), await addPerson(database, 'guest')]
    await database
      .insertInto('member')
      .values({ project_id: project.id, user_id: guest.id, access_level: 10, created_at: Date.now() })
      .execute()
    const seen = async (as: Person | 'nobody') => (await get('badges/main/pipeline.svg', as)).statusCode
    expect({
      anonymous: await seen('nobody'),
      stranger: await seen(stranger),
      guest: await seen(guest),
      admin: await seen(admin),
    }).toEqual(expected)
  },
)
