import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { connectDatabase } from '../../src/coordinator/database/connect.js'
import { BUCKET, S3Server } from '../support/s3-server.js'
import { type CommandResult, runSwitchyard, startSwitchyard } from './support/processes.js'
import { System } from './support/system.js'
import { until } from './support/until.js'

const FILES = 8
const DAYS = 24 * 3_600_000

test('an installation moves into a bucket, and what a kill leaves there is deleted a day later', async () => {
  const s3 = await S3Server.start()
  const inBucket = s3.environment('STORAGE', 'ci')
  const { SWITCHYARD_STORAGE_URL: url, ...server } = inBucket
  const system = await System.start()
  onTestFinished(() => system.stop())
  const dataDir = join(system.directory, 'coordinator')
  const command = (...args: string[]) => ['admin', 'move-blobs', '--data-dir', dataDir, ...args]
  const project = await system.createProject()
  const uploads = new Map<string, string>()
  for (let number = 0; number < FILES; number++) {
    const content = `content of ${number}`
    uploads.set(await upload(system, project.id, content), content)
  }
  const expectAll = async () => {
    for (const [path, content] of uploads) {
      expect(await (await system.api.request('GET', path)).text()).toBe(content)
    }
  }

  // A run is killed while it copies, and the next one copies the rest.
  const killed = startSwitchyard(command('--to', url ?? ''), server)
  await new Promise<void>((resolve) => {
    s3.misbehave(({ method, url: object }) => {
      if (method === 'PUT' && object.includes('/uploads/')) resolve()
      return false
    }, 'cut')
  })
  await killed.kill('SIGKILL')
  expectDone(
    await runSwitchyard(command('--to', url ?? ''), server),
    `to s3://${BUCKET}/ci, and compared each`,
  )
  expect(namesIn(s3)).toHaveLength(FILES)
  await expectAll()

  const isUnknown = await runSwitchyard(command('--to', 's3://other'), server)
  expect(isUnknown).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('does not exist') as string,
  })
  const isUsed = await runSwitchyard(command('--to', url ?? '', '--delete'), server)
  expect(isUsed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--delete') as string })

  await system.killCoordinator()
  const isMoving = { ...inBucket, SWITCHYARD_STORAGE_PREVIOUS_URL: 'folder' }
  await system.startCoordinator(isMoving)
  uploads.set(await upload(system, project.id, 'of the bucket'), 'of the bucket')
  expectDone(await runSwitchyard(command('--delete'), isMoving), 'The originals are deleted.')
  const left = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
  await expectAll()

  // The coordinator is killed after it has stored an object, and before it has stored the row.
  await system.killCoordinator()
  await system.startCoordinator(inBucket)
  let isKilled: Promise<void> | undefined
  s3.misbehave(({ method, url: object }) => {
    if (method === 'PUT' && object.includes('/uploads/')) isKilled ??= system.killCoordinator()
    return false
  }, 'cut')
  await expect(upload(system, project.id, 'of nobody')).rejects.toThrow('fetch failed')
  await isKilled
  expect(namesIn(s3)).toHaveLength(FILES + 2)

  await passTwoDays(s3, dataDir)
  await system.startCoordinator()
  await until(
    'the object without a row to be deleted',
    () => Promise.resolve(namesIn(s3).length === FILES + 1 ? true : undefined),
    () => system.log(),
  )
  await expectAll()
  const metrics = await until('the deletion to be counted', async () => {
    const text = await (await fetch(`${system.api.url}/metrics`)).text()
    return text.includes('switchyard_storage_orphans_deleted_total 1') ? text : undefined
  })
  expect(metrics).toContain(`switchyard_storage_orphans_deleted_bytes_total ${'of nobody'.length}`)
})

/** The API path of the file. */
async function upload(system: System, projectId: number, content: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([content]), 'notes.txt')
  const response = await fetch(`${system.api.url}/api/v4/projects/${projectId}/uploads`, {
    method: 'POST',
    headers: { 'private-token': system.api.token },
    body: form,
  })
  const { url } = (await response.json()) as { url: string }
  return `/projects/${projectId}${url}`
}

/** Names of the uploads. */
function namesIn({ objects }: S3Server): string[] {
  return [...objects.keys()].filter((name) => name.includes('/uploads/'))
}

function expectDone({ exitCode, stdout, stderr }: CommandResult, text: string): void {
  expect(stderr).toBe('')
  expect(stdout).toContain(text)
  expect(exitCode).toBe(0)
}

/** Nothing that was recorded is younger. */
async function passTwoDays(s3: S3Server, dataDir: string): Promise<void> {
  for (const object of s3.objects.values()) object.modifiedAt = new Date(Date.now() - 2 * DAYS)
  const database = connectDatabase({ dialect: 'sqlite', file: join(dataDir, 'switchyard.db') })
  await database.deleteFrom('coordinator').execute()
  await database.deleteFrom('instance_setting').where('key', '=', 'orphans_compared_at').execute()
  await database.destroy()
}
