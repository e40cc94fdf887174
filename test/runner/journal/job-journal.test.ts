import { join } from 'node:path'

import { expect, test } from 'vitest'

import { JobJournal } from '../../../src/runner/journal/job-journal.js'
import { jobPayload } from '../../support/job-payload.js'
import { tempDir } from '../../support/temp-dir.js'

test('a cache that turned out to be broken is not believed by a later process either', async () => {
  const folder = join(await tempDir(), 'job')
  const journal = await JobJournal.begin(folder, {
    ...{ url: 'http://127.0.0.1:1', runner: 'tester', tokenDigest: '', payload: jobPayload() },
    ...{ concurrentId: 0, concurrentProjectId: 0, receivedAt: 0 },
  })
  await journal.damagedCaches.add('gems')
  await journal.complete('restore_caches', { kind: 'success' }, { size: 0 })
  const later = await JobJournal.load(folder)
  expect(['gems', 'others'].map((key) => later?.damagedCaches.has(key))).toEqual([true, false])
})
