import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import { expect, test } from 'vitest'

import { failureOfLog, sectionOfLog } from '../../../../src/coordinator/ci/storage/log-excerpts.js'
import { TraceWorkers } from '../../../../src/coordinator/ci/storage/trace-index/trace-workers.js'
import { TraceIndexes } from '../../../../src/coordinator/ci/storage/trace-indexes.js'
import { Traces } from '../../../../src/coordinator/ci/storage/traces.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { sectionEnd, sectionStart } from '../../../../src/protocol/trace-section.js'
import { onFinished } from '../../../support/lifetime.js'
import { tempDir } from '../../../support/temp-dir.js'

const job = { id: 7, project_id: 3 }
const NOW = new Date(1_700_000_000_000)

async function openLog(text?: string) {
  const traces = new Traces(await tempDir(), 1e9)
  const workers = new TraceWorkers()
  onFinished(() => workers.stop())
  if (text !== undefined) {
    await mkdir(dirname(traces.files(job).log), { recursive: true })
    await writeFile(traces.files(job).log, text)
  }
  return new TraceIndexes({ traces, workers, logger: createLogger('test', 'silent') })
}

const LOG = [
  `${sectionStart('prepare', NOW)}Preparing`,
  sectionEnd('prepare', NOW),
  `${sectionStart('step_script', NOW)}$ make`,
  '\x1b[31mred <b>\x1b[0m',
  '10 %\r20 %\rdone\x07',
  sectionStart('chat_reply', NOW),
  'one',
  'two',
  sectionEnd('chat_reply', NOW),
  'a.c:3:5: error: no x',
  'x'.repeat(600),
  'end',
  sectionEnd('step_script', NOW),
  'ERROR: Job failed: exit code 1',
  '',
].join('\n')

test('the lines that say why a job failed are as they are shown, without styles and markers', async () => {
  const indexes = await openLog(LOG)
  expect((await failureOfLog(indexes, job, 20)).text).toBe(
    ['$ make', 'red <b>', 'done', 'one', 'two', 'a.c:3:5: error: no x', `${'x'.repeat(500)}…`, 'end'].join(
      '\n',
    ),
  )
  expect((await failureOfLog(indexes, job, 3)).text).toBe(`a.c:3:5: error: no x\n${'x'.repeat(500)}…`)
  expect((await failureOfLog(await openLog(), job, 5)).text).toBe('')
})

test('what the runner says after the section that failed is shown if the section does not say why', async () => {
  const log = [
    `${sectionStart('prepare_executor', NOW)}Preparing`,
    'Pulling docker image nope:1',
    sectionEnd('prepare_executor', NOW),
    `${sectionStart('cleanup_file_variables', NOW)}Cleaning up`,
    sectionEnd('cleanup_file_variables', NOW),
    'ERROR: Job failed: failed to pull image "nope:1"',
    '',
  ]
  const indexes = await openLog(log.join('\n'))
  expect((await failureOfLog(indexes, job, 9)).text).toContain(
    'ERROR: Job failed: failed to pull image "nope:1"',
  )
  expect((await failureOfLog(await openLog(log.slice(0, 3).join('\n')), job, 9)).text).toBe(
    'Preparing\nPulling docker image nope:1',
  )
})

test('a section of a log is the first of these that the log has', async () => {
  const indexes = await openLog(LOG)
  expect((await sectionOfLog(indexes, job, ['chat_reply', 'step_script'], 9)).text).toBe('one\ntwo')
  expect((await sectionOfLog(indexes, job, ['chat_reply'], 1)).text).toBe('two')
  expect((await sectionOfLog(indexes, job, ['none', 'prepare'], 9)).text).toBe('Preparing')
  expect((await sectionOfLog(indexes, job, ['none'], 9)).text).toBe('')
})
