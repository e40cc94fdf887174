import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import type { JobEnvironment } from '../../../src/runner/executor/executor.js'
import { JobSteps } from '../../../src/runner/job/job-steps.js'
import { JobJournal } from '../../../src/runner/job/journal/job-journal.js'
import { SUCCESS } from '../../../src/runner/job/outcome.js'
import { JobLog } from '../../../src/runner/trace/job-log.js'
import { TraceBuffer } from '../../../src/runner/trace/trace-buffer.js'
import { jobPayload } from '../../support/job-payload.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'

test('each way to end a step stores how much of its output the engine has passed on, for the next process', async () => {
  const { steps, environment, afterKill } = await openSteps()
  steps.runIn(environment)
  environment.record = { printed: 1 }
  await steps.once('prepare_script', async () => SUCCESS)
  expect((await afterKill())?.environment).toEqual({ printed: 1 })

  environment.record = { printed: 2 }
  await steps.completePart('pre_get_sources_script_1', SUCCESS)
  expect((await afterKill())?.environment).toEqual({ printed: 2 })

  await steps.once('step_script', async () => {
    await steps.beginScript('step_script')
    environment.record = { printed: 30 }
    return SUCCESS
  })
  expect((await afterKill())?.environment).toEqual({ printed: 30 })
})

async function openSteps() {
  const folder = join(await tempDir(), 'job')
  const numbers = { concurrentId: 0, concurrentProjectId: 0, receivedAt: 0 }
  const taker = { url: 'http://127.0.0.1', runner: 'one', tokenDigest: 'digest' }
  const journal = await JobJournal.begin(folder, { ...taker, ...numbers, payload: jobPayload() })
  const trace = await TraceBuffer.create(journal.traceFile, { secrets: [], tokenPrefixes: [], limit: 1000 })
  onFinished(() => trace.close())
  const log = new JobLog(trace.output)
  const logger = createLogger('test', 'silent')
  const steps = new JobSteps({ journal, trace, log, logger, liveAfter: 60_000 })
  const environment: { -readonly [Key in keyof JobEnvironment]: JobEnvironment[Key] } = {
    owner: undefined,
    record: {},
    open: () => {},
    run: async () => ({ exitCode: 0 }),
    resume: async () => ({ exitCode: 0 }),
    cleanUp: async () => {},
  }
  return { steps, environment, afterKill: () => JobJournal.load(folder) }
}
