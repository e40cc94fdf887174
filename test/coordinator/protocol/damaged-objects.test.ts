import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

import { expect, test, vi } from 'vitest'

import { BUCKET, S3Server } from '../../support/s3-server.js'
import { pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'

async function storeArtifact(bytes: Buffer) {
  const server = await S3Server.start()
  const place = { kind: 's3', bucket: server.settings(), prefix: 'ci' } as const
  const coordinator = await startCiCoordinator({
    storage: { location: place, previous: undefined, isDirect: false },
  })
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'build: { script: [a] }')
  const job = await runner.takeJob()
  const upload = { file_type: 'archive', file_format: 'zip', filename: 'a.zip', expire_at: null } as const
  const owner = { id: job.id, project_id: coordinator.project.id }
  await coordinator.artifacts.store(owner, upload, Readable.from([bytes]))
  const [name = '', object] = [...server.objects].find(([key]) => key.startsWith('ci/artifacts/')) ?? []
  const download = (headers: Record<string, string> = {}) =>
    fetch(`${coordinator.url}/jobs/${job.id}/artifacts`, { headers: { 'job-token': job.token, ...headers } })
  const logged = vi.spyOn(coordinator.app.app.log, 'warn')
  return { name, object: object!, download, logged }
}

function changed(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[0]! ^= 1
  return copy
}

test('the download of an artifact whose object was changed breaks off before its end', async () => {
  const bytes = randomBytes(1_000_000)
  const { name, object, download, logged } = await storeArtifact(bytes)
  object.bytes = changed(bytes)
  const reply = await download()
  expect(reply.headers.get('content-length')).toBe('1000000')
  await expect(reply.arrayBuffer()).rejects.toThrow('terminated')
  await expect.poll(() => logged.mock.calls).toHaveLength(1)
  const [facts, message] = logged.mock.lastCall as unknown as [{ err: Error; route: string }, string]
  expect([message, facts.route]).toEqual([
    'The response broke off: The stored file is damaged: its bytes have another SHA-256 digest. An administrator can ' +
      'restore it from a backup',
    'GET /api/v4/jobs/:id/artifacts',
  ])
  expect(facts.err.message).toBe(
    `The object ${name} in the bucket ${BUCKET} is not what was stored: its bytes have another SHA-256 digest. ` +
      'Restore it from a backup or an older version, or delete what it belongs to, and check the disks of the store',
  )
  // A part cannot be compared.
  const part = await download({ range: 'bytes=0-9' })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
})

test.each([
  ['shorter', (bytes: Buffer) => bytes.subarray(1), 'it has 999 bytes, not 1000'],
  ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('a')]), 'it has 1001 bytes, not 1000'],
  ['a small one with other bytes', changed, 'its bytes have another SHA-256 digest'],
])('an object that is %s gets an error', async (_what, change, difference) => {
  const bytes = randomBytes(1000)
  const { object, download, logged } = await storeArtifact(bytes)
  object.bytes = change(bytes)
  const reply = await download()
  expect(reply.status).toBe(500)
  expect(reply.headers.get('content-length')).not.toBe('1000')
  expect(await reply.json()).toEqual({
    message: `500 Internal Server Error - The stored file is damaged: ${difference}. An administrator can restore it from a backup`,
  })
  expect(logged).toHaveBeenCalledOnce()
})
