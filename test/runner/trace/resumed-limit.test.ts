import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { JobJournal } from '../../../src/runner/job/journal/job-journal.js'
import { TraceBuffer } from '../../../src/runner/trace/trace-buffer.js'
import { jobPayload } from '../../support/job-payload.js'
import { tempDir } from '../../support/temp-dir.js'

const RULES = { secrets: [], tokenPrefixes: [], limit: 1000 }
/** Each longer than the tail that is kept, with sections that begin and end where nothing is shown. */
const PIECES = [
  `section_start:1:first\r\x1b[0K${lines('first', 3000)}`,
  `section_start:2:second\r\x1b[0K${lines('second', 9000)}section_end:3:second\r\x1b[0K`,
  `section_end:4:first\r\x1b[0Ksection_start:5:third\r\x1b[0K${lines('third', 700)}`,
]

test('a log over its limit ends identically after any number of kills between stages', async () => {
  const undisturbed = await traceOf(false)
  expect(undisturbed).toContain(' bytes of the log were left out here')
  expect(undisturbed).toContain('second 8999\n')
  expect(await traceOf(true)).toBe(undisturbed)
})

async function traceOf(isKilled: boolean): Promise<string> {
  const folder = join(await tempDir(), 'job')
  let journal = await JobJournal.begin(folder, {
    url: 'http://127.0.0.1:1',
    runner: 'tester',
    tokenDigest: '',
    payload: jobPayload(),
    concurrentId: 0,
    concurrentProjectId: 0,
    receivedAt: 0,
  })
  let trace = await TraceBuffer.create(journal.traceFile, RULES)
  for (const [index, piece] of PIECES.entries()) {
    trace.output.write(piece)
    await journal.complete(`stage ${index}`, { kind: 'success' }, await trace.checkpoint())
    if (!isKilled) continue
    trace.output.write('never shown')
    await trace.checkpoint()
    await trace.close()
    const loaded = await JobJournal.load(folder)
    if (!loaded) throw new Error('The journal is gone')
    journal = loaded
    trace = await TraceBuffer.reopen(journal.traceFile, RULES, journal.trace)
  }
  await trace.end()
  const text = await readFile(journal.traceFile, 'utf8')
  await trace.close()
  return text
}

function lines(word: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('')
}
