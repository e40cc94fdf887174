import { join } from 'node:path'

import { expect, test } from 'vitest'

import { JobJournal } from '../../../../src/runner/job/journal/job-journal.js'
import { SUCCESS } from '../../../../src/runner/job/outcome.js'
import { jobPayload } from '../../../support/job-payload.js'
import { tempDir } from '../../../support/temp-dir.js'

async function begin() {
  const folder = join(await tempDir(), 'job')
  const numbers = { concurrentId: 0, concurrentProjectId: 0, receivedAt: 0 }
  const taker = { url: 'http://127.0.0.1', runner: 'one', tokenDigest: 'digest' }
  const journal = await JobJournal.begin(folder, { ...taker, ...numbers, payload: jobPayload() })
  return { journal, afterKill: () => JobJournal.load(folder) }
}

const LEFT_OUT = {
  read: 10,
  cut: 5,
  beyond: 5,
  tail: '',
  recent: [],
  sections: { before: [], ends: [], starts: [] },
  markers: { held: '', position: 0 },
}

test('a step with output is complete after a kill', async () => {
  const { journal, afterKill } = await begin()
  await journal.complete('sources', SUCCESS, { size: 12 })
  const later = await afterKill()
  expect(later?.outcomeOf('sources')).toEqual(SUCCESS)
  expect(later?.trace).toEqual({ size: 12 })
})

test('a successful step without output is recorded with the next step', async () => {
  const { journal, afterKill } = await begin()
  await journal.complete('sources', SUCCESS, { size: 12 })
  await journal.complete('caches', SUCCESS, { size: 12 })
  expect(journal.outcomeOf('caches')).toEqual(SUCCESS)
  expect((await afterKill())?.outcomeOf('caches')).toBeUndefined()
  await journal.beginScript('step_script', { size: 12 }, {})
  expect((await afterKill())?.outcomeOf('caches')).toEqual(SUCCESS)
})

test('a script without output is complete when it ends', async () => {
  const { journal, afterKill } = await begin()
  await journal.beginScript('step_script', { size: 0 }, {})
  await journal.complete('step_script', SUCCESS, { size: 0 })
  const later = await afterKill()
  expect(later?.outcomeOf('step_script')).toEqual(SUCCESS)
  expect(later?.script).toBeUndefined()
})

test('a step whose output exceeds the log limit is complete', async () => {
  const { journal, afterKill } = await begin()
  await journal.complete('upload', SUCCESS, { size: 0, leftOut: LEFT_OUT })
  expect((await afterKill())?.outcomeOf('upload')).toEqual(SUCCESS)
})

test('a step that fails, or that creates state for later processes, is complete', async () => {
  const { journal, afterKill } = await begin()
  await journal.complete('prepare', SUCCESS, { size: 0 }, { containerId: 'x' })
  expect((await afterKill())?.environment).toEqual({ containerId: 'x' })
  const failed = { kind: 'stopped', stop: { kind: 'canceled' } } as const
  await journal.complete('caches', failed, { size: 0 })
  expect((await afterKill())?.outcomeOf('caches')).toEqual(failed)
})

test('the secrets of a job are among its variables, also after a kill', async () => {
  const { journal, afterKill } = await begin()
  const before = journal.job.payload.variables.length
  await journal.recordSecrets([{ key: 'DB', value: 'guess', masked: true, raw: true }])
  for (const each of [journal, await afterKill()]) {
    expect(each?.job.payload.variables.slice(before)).toEqual([
      { key: 'DB', value: 'guess', masked: true, raw: true },
    ])
  }
})
