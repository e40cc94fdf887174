import { inflateSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { JOB_STATUSES } from '../../../src/coordinator/ci/engine/job-statuses.js'
import { detailedStatus } from '../../../src/coordinator/ci/pipelines/detailed-status.js'
import { openForFile } from '../../support/lifetime.js'
import { openRepositoryApi } from '../support/repository-api.js'

const api = openForFile(openRepositoryApi)

const read = (url: string) => api().app.app.inject({ method: 'GET', url })

test.each(JOB_STATUSES)('the picture of a pipeline that is %s is where its status says', async (status) => {
  const { favicon } = detailedStatus({ status, hasWarnings: false, path: '/a/b/-/pipelines/1' })
  const { statusCode, headers, rawPayload } = await read(favicon)
  expect([statusCode, headers['content-type']]).toEqual([200, 'image/png'])
  expect(headers['content-security-policy']).toMatch(/sandbox/)
  expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([32, 32])
  const pixels = inflateSync(rawPayload.subarray(41, 41 + rawPayload.readUInt32BE(33)))
  const alphaAt = (x: number, y: number) => pixels[y * (32 * 4 + 1) + 1 + x * 4 + 3]
  expect([alphaAt(0, 0), alphaAt(16, 4)]).toEqual([0, 255])
})

test.each([
  'favicon_status_none.png',
  'favicon_status_constructor.png',
  'x.png',
  'favicon_status_success.svg',
])('there is no picture %s', async (file) => {
  expect((await read(`/assets/ci_favicons/${file}`)).statusCode).toBe(404)
})
