import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { storeFinishedLogs } from '../../../../src/coordinator/ci/jobs/store-finished-logs.js'
import { SameLengthMasker } from '../../../../src/masking/same-length-masker.js'
import { insertRunningJob } from '../../support/running-job.js'
import { openTestServices } from '../../support/test-coordinator.js'
import { addProject, addUser } from '../engine/support/records.js'

const MINUTE = 60_000
const NEVER = new AbortController().signal

test('the log of a job is stored some minutes after its end, and not before', async () => {
  const services = await openTestServices()
  const { database, traces } = services
  const user = await addUser(database)
  const { id: projectId } = await addProject(database, user)
  await insertRunningJob(database, { projectId, userId: user.id })
  const job = await database.selectFrom('job').select(['id', 'project_id']).executeTakeFirstOrThrow()
  await traces.append(job, 0, Readable.from([Buffer.from('log')]), new SameLengthMasker([]))
  const stored = async (now: number) => {
    await storeFinishedLogs(services, NEVER, now)
    return (await database.selectFrom('stored_log').select('blob_key').execute()).length
  }
  expect(await stored(Date.now() + 60 * MINUTE)).toBe(0)
  const ended = Date.now()
  await database.updateTable('job').set({ status: 'failed', finished_at: ended }).execute()
  expect(await stored(ended + MINUTE)).toBe(0)
  expect(await stored(ended + 6 * MINUTE)).toBe(1)
  expect(await traces.growingSize(job)).toBe(0)
  expect(await text(await traces.read(job))).toBe('log')
})

test('the log of an erased or deleted job is not stored', async () => {
  const services = await openTestServices()
  const { database, traces } = services
  const user = await addUser(database)
  const { id: projectId } = await addProject(database, user)
  await insertRunningJob(database, { projectId, userId: user.id })
  const job = await database.selectFrom('job').select(['id', 'project_id']).executeTakeFirstOrThrow()
  for (const each of [job, { ...job, id: job.id + 1 }]) {
    await traces.append(each, 0, Readable.from([Buffer.from('log')]), new SameLengthMasker([]))
  }
  await database.updateTable('job').set({ status: 'failed', finished_at: 1, erased_at: 2 }).execute()
  await storeFinishedLogs(services, NEVER)
  expect(await database.selectFrom('stored_log').selectAll().execute()).toEqual([])
})
