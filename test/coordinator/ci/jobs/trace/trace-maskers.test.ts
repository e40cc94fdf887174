import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { TraceMaskers } from '../../../../../src/coordinator/ci/jobs/trace/trace-maskers.js'
import { openSqlite } from '../../../../support/databases.js'
import { testSecrets } from '../../../support/test-app.js'

const MINUTE = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

async function openMaskers(maxBytes?: number) {
  const { database } = await openSqlite()
  return new TraceMaskers({ database, secrets: testSecrets() }, maxBytes)
}

test('the masker of a job is kept from patch to patch, until the job ends', async () => {
  const maskers = await openMaskers()
  const masker = await maskers.maskerOf(1, 'glcbt-one')
  expect(await maskers.maskerOf(1, 'glcbt-one')).toBe(masker)
  maskers.delete('glcbt-one')
  expect(await maskers.maskerOf(1, 'glcbt-one')).not.toBe(masker)
})

test('the masker of a job that is silent for minutes is deleted, that of another one is not', async () => {
  const maskers = await openMaskers()
  const timersOfDatabase = vi.getTimerCount()
  const silent = await maskers.maskerOf(1, 'glcbt-one')
  const other = await maskers.maskerOf(2, 'glcbt-two')
  for (let minute = 0; minute < 5; minute++) {
    vi.advanceTimersByTime(MINUTE)
    expect(await maskers.maskerOf(2, 'glcbt-two')).toBe(other)
  }
  expect(await maskers.maskerOf(1, 'glcbt-one')).not.toBe(silent)
  vi.advanceTimersByTime(5 * MINUTE)
  expect(vi.getTimerCount()).toBe(timersOfDatabase)
})

test('beyond the limit of memory, the maskers that were used last are kept', async () => {
  const { byteSize } = await (await openMaskers()).maskerOf(1, 'glcbt-one')
  const maskers = await openMaskers(2 * byteSize)
  const [first, second] = [await maskers.maskerOf(1, 'glcbt-one'), await maskers.maskerOf(2, 'glcbt-two')]
  expect(await maskers.maskerOf(1, 'glcbt-one')).toBe(first)
  await maskers.maskerOf(3, 'glcbt-six')
  expect(await maskers.maskerOf(1, 'glcbt-one')).toBe(first)
  expect(await maskers.maskerOf(2, 'glcbt-two')).not.toBe(second)
})
