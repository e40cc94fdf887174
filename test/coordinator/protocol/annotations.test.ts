import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { ciCoordinatorForFile, pushPipeline } from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'

const openCoordinator = ciCoordinatorForFile()

const FEATURES = { info: { features: { upload_multiple_artifacts: true } } }
const LINKS = { links: [{ external_link: { label: 'report', url: 'https://ci.example/report' } }] }

async function start() {
  const coordinator = await openCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'unit: { script: [a], artifacts: { reports: { annotations: a.json } } }')
  const job = await runner.takeJob(FEATURES)
  const upload = (content: Buffer) =>
    runner.upload(job, content, {
      query: 'artifact_type=annotations&artifact_format=gzip',
      filename: 'gl-annotations.json.gz',
    })
  return { coordinator, job, upload }
}

test('annotations that are links are kept, and may be sent again', async () => {
  const { coordinator, job, upload } = await start()
  const packed = gzipSync(JSON.stringify(LINKS))
  expect((await upload(packed)).status).toBe(201)
  expect((await upload(packed)).status).toBe(201)
  expect(await coordinator.artifacts.find(job.id, 'annotations')).toMatchObject({ size: packed.length })
})

test.each<[string, Buffer, string]>([
  ['what is not packed', Buffer.from(JSON.stringify(LINKS)), 'Invalid Format'],
  ['what is no JSON', gzipSync('links'), 'Annotations files must be JSON objects of lists'],
  [
    'what is too big',
    gzipSync(JSON.stringify({ ...LINKS, more: 'x'.repeat(81_920) })),
    'Annotations Artifact Too Big. Maximum Allowable Size: 81920',
  ],
  [
    'what is too big even packed',
    Buffer.alloc(200_000, 1),
    'Annotations Artifact Too Big. Maximum Allowable Size: 81920',
  ],
])('%s is refused, and nothing is stored', async (_what, content, reason) => {
  const { coordinator, job, upload } = await start()
  const response = await upload(content)
  expect([response.status, await response.json()]).toEqual([400, { message: `400 Bad request - ${reason}` }])
  expect(await coordinator.artifacts.find(job.id, 'annotations')).toBeUndefined()
})

test('annotations are not sent in pieces', async () => {
  const { coordinator, job } = await start()
  const url = `${coordinator.url}/jobs/${job.id}/artifacts/uploads/annotations`
  expect((await fetch(url, { headers: { 'job-token': job.token } })).status).toBe(413)
})
