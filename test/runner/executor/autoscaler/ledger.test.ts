import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { describeEnd } from '../../../../src/runner/executor/docker/autoscaler/describe-end.js'
import { LedgerFiles } from '../../../../src/runner/executor/docker/autoscaler/ledger/ledger-files.js'
import { Ledger } from '../../../../src/runner/executor/docker/autoscaler/ledger/ledger.js'
import {
  busyTime,
  type InstanceRecord,
  newRecord,
  withJob,
  withoutJob,
} from '../../../../src/runner/executor/docker/autoscaler/model/instance.js'
import { tempDir } from '../../../support/temp-dir.js'

const NAME = 'ci-0000000a'

test('records survive the process', async () => {
  const folder = await tempDir()
  const ledger = await Ledger.open(new LedgerFiles(folder))
  await ledger.put(newRecord(NAME, 1))
  await ledger.put(newRecord('ci-0000000b', 1))
  await Promise.all([1, 2, 3].map((id) => ledger.update(NAME, (record) => withJob(record, id, 2))))
  await ledger.remove('ci-0000000b')
  const next = await Ledger.open(new LedgerFiles(folder))
  expect(next.all()).toEqual([{ ...newRecord(NAME, 1), jobs: [1, 2, 3], used: 3, changedAt: 2 }])
})

test('a file that a killed runner has not written to its end is removed', async () => {
  const folder = await tempDir()
  await writeFile(join(folder, `${NAME}.json.0123456789ab.tmp`), '{"name":')
  expect((await Ledger.open(new LedgerFiles(folder))).all()).toEqual([])
  expect(await readdir(folder)).toEqual([])
})

test.each([
  ['{', 'cannot be read'],
  ['{}', 'The record of the machine "ci-0000000a" has an unknown format'],
  [JSON.stringify(newRecord('ci-0000000b', 1)), 'has an unknown format'],
])('a damaged record keeps the machines from being managed: %s', async (text, message) => {
  const folder = await tempDir()
  await writeFile(join(folder, `${NAME}.json`), text)
  await expect(Ledger.open(new LedgerFiles(folder))).rejects.toThrow(message)
})

test('the time with jobs is measured, however many there are at once', () => {
  let record: InstanceRecord = { ...newRecord(NAME, 0), readyAt: 1000 }
  record = withJob(record, 1, 2000)
  record = withJob(record, 2, 3000)
  record = withJob(record, 2, 3500)
  record = withoutJob(record, 1, 4000)
  expect(busyTime(record, 5000)).toBe(3000)
  record = withoutJob(record, 2, 6000)
  record = withoutJob(record, 2, 7000)
  expect(busyTime(record, 9000)).toBe(4000)
  expect(describeEnd({ ...record, reason: 'it was idle' }, 9000)).toEqual({
    lifetime: 9,
    jobs: 2,
    idleShare: 0.5,
    message: 'A machine is gone after 9s: 2 jobs, idle for 50 % of its time (it was idle)',
  })
})
