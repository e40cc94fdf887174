import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { explainLog } from '../../../../src/coordinator/ci/storage/log-failure.js'
import { TraceWorkers } from '../../../../src/coordinator/ci/storage/trace-index/trace-workers.js'
import { TraceIndexes } from '../../../../src/coordinator/ci/storage/trace-indexes.js'
import { Traces } from '../../../../src/coordinator/ci/storage/traces.js'
import { JOB_FAILURES } from '../../../../src/error-catalogue/failure-reasons.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { onFinished, openForFile } from '../../../support/lifetime.js'
import { tempDir } from '../../../support/temp-dir.js'

/** Bytes of the lines in the failure of a job. */
const EXCERPT_BYTES = 900
/** Of 60. */
const WANTED = 57

interface Sample {
  file: string
  kind: string
  /** Text that must be in the answer. */
  cause: string
  failure_reason: keyof typeof JOB_FAILURES
  /** Name of the section, which the coordinator knows from the lines of the scripts. */
  section?: string
  /** Not looked at when the choice of lines was written. */
  unseen: boolean
  log: string
}

const FOLDER = 'test/fixtures/failures'

/** Each file begins with a line of JSON; the log follows. */
const SAMPLES = readdirSync(FOLDER).map((file): Sample => {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  const end = text.indexOf('\n')
  return {
    file,
    log: text.slice(end + 1),
    ...(JSON.parse(text.slice(0, end)) as Omit<Sample, 'file' | 'log'>),
  }
})

const workers = openForFile(async () => {
  const opened = new TraceWorkers()
  onFinished(() => opened.stop())
  return opened
})

async function explain({ log, section, failure_reason: reason }: Sample): Promise<string> {
  const { meaning, remedy } = JOB_FAILURES[reason]
  const traces = new Traces(await tempDir(), 1e9)
  const job = { id: 7, project_id: 3 }
  await mkdir(dirname(traces.files(job).log), { recursive: true })
  if (log !== '') await writeFile(traces.files(job).log, log)
  const indexes = new TraceIndexes({ traces, workers: workers(), logger: createLogger('test', 'silent') })
  const found = await indexes.withLog(job, { isFinished: true }, async (open) =>
    open ? explainLog(open, EXCERPT_BYTES, section) : undefined,
  )
  return [meaning, remedy, ...(found?.lines ?? []).map(({ text }) => text)].join('\n')
}

describe('the corpus of failures', () => {
  test('has five failures of each of twelve kinds', () => {
    const kinds = new Map(SAMPLES.map(({ kind }) => [kind, SAMPLES.filter((one) => one.kind === kind)]))
    expect(kinds.size).toBe(12)
    expect([...kinds.values()].every((samples) => samples.length === 5)).toBe(true)
    expect(SAMPLES.filter(({ unseen }) => unseen)).toHaveLength(20)
  })

  test(`has its cause in the lines that are chosen, for at least ${WANTED} of 60`, async () => {
    const missed: string[] = []
    for (const sample of SAMPLES) {
      const text = await explain(sample)
      if (!text.includes(sample.cause)) missed.push(`${sample.file}: ${sample.cause}\n${text}\n`)
    }
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(SAMPLES.length - WANTED)
  })
})
