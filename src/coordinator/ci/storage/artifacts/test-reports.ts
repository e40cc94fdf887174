import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'

import type { Insertable, Selectable } from 'kysely'

import { isZlibError } from '../../../../lib/is-zlib-error.js'
import type { Database } from '../../../database/connect.js'
import type { TestReportTable } from '../../../database/tables/test-reports.js'
import { inTransaction } from '../../../database/transaction.js'
import type { BlobStore } from '../blob-store.js'
import { DifferentBlobError } from '../errors.js'
import { type ArtifactOwner, newArtifactKey } from './artifact-key.js'
import { FailedCases, recordFailures } from './test-history.js'

export type TestReport = Selectable<TestReportTable>

export type TestStatus = 'success' | 'failed' | 'skipped' | 'error'

export function isFailure(status: TestStatus): boolean {
  return status === 'failed' || status === 'error'
}

/** A case with its position in its report. */
export interface PlacedCase {
  position: number
  testCase: TestCase
}

export interface TestCase {
  status: TestStatus
  name: string
  classname: string
  file: string | null
  /** Seconds. */
  execution_time: number
  system_output: string | null
  /** Path of an image inside the archive of the job. */
  attachment: string | null
}

/** Which cases of a report to read; all without it. */
export interface CaseSelection {
  statuses?: readonly TestStatus[]
  /** The position after which cases are read. */
  after?: number
  /** The least time of a case, in seconds; called for each of them. */
  minTime?: () => number
}

/** The job of a test report; a job row fits. */
export interface TestedJob extends ArtifactOwner {
  pipeline_id: number
  name: string
  ref: string
  tag: boolean
}

/** A test report of a job of a pipeline. */
export interface PipelineTestReport extends TestReport {
  job_name: string
}

type Sums = Pick<
  TestReportTable,
  'total_time' | 'success_count' | 'failed_count' | 'skipped_count' | 'error_count'
>

/**
 * Test reports, parsed once on arrival: a row with the totals, and the cases in a compressed blob beside the
 * artifacts of the job. Reports are streamed, never loaded completely.
 */
export class TestReports {
  constructor(
    private readonly database: Database,
    private readonly blobs: BlobStore,
  ) {}

  async has(jobId: number): Promise<boolean> {
    const row = await this.database
      .selectFrom('test_report')
      .select('job_id')
      .where('job_id', '=', jobId)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Stores the cases as they arrive. Throws errors of `cases`, and stores nothing then. */
  async keep(job: TestedJob, cases: AsyncIterable<TestCase>): Promise<void> {
    const blobKey = newArtifactKey(job)
    const sums = noSums()
    const failed = new FailedCases(suiteOfJob(job.name))
    await this.blobs.write(blobKey, packed(counted(cases, sums, failed)))
    const row = { ...sums, job_id: job.id, blob_key: blobKey, created_at: Date.now() }
    const isFirst = await inTransaction(this.database, async (tx) => {
      const place = await runContext(tx, job)
      if (!(await insertReport(tx, { ...row, ...place }))) return false
      await recordFailures(tx, { ...row, ...place, job_name: job.name }, failed)
      return true
    })
    if (!isFirst) await this.blobs.delete(blobKey)
  }

  /** Records that the report of a job is unreadable. */
  async storeError(job: TestedJob, error: string): Promise<void> {
    await insertReport(this.database, {
      ...noSums(),
      ...(await runContext(this.database, job)),
      job_id: job.id,
      suite_error: error,
      blob_key: '',
      created_at: Date.now(),
    })
  }

  /** The reports of the latest jobs of a pipeline, in the order of the jobs. */
  ofPipeline(pipelineId: number): Promise<PipelineTestReport[]> {
    return this.database
      .selectFrom('test_report')
      .innerJoin('job', 'job.id', 'test_report.job_id')
      .selectAll('test_report')
      .select('job.name as job_name')
      .where('job.pipeline_id', '=', pipelineId)
      .where('job.retried', '=', false)
      .orderBy('job.id')
      .execute()
  }

  /** The report of a job; undefined if it has none. */
  ofJob(jobId: number): Promise<TestReport | undefined> {
    return this.database.selectFrom('test_report').selectAll().where('job_id', '=', jobId).executeTakeFirst()
  }

  async *casesOf(report: TestReport): AsyncGenerator<TestCase> {
    for await (const { testCase } of this.placedCasesOf(report)) yield testCase
  }

  /** The cases that have one of the statuses, each with its position among all cases. */
  async *placedCasesOf(
    { blob_key }: TestReport,
    { statuses = STATUSES, after = -1, minTime }: CaseSelection = {},
  ): AsyncGenerator<PlacedCase> {
    if (blob_key === '') return
    const starts = statuses.map(startOfLine)
    const packed = await this.blobs.read(blob_key)
    let position = -1
    for await (const line of linesOf(unpackedReport(packed, blob_key))) {
      position++
      // Parsing 200,000 lines takes longer than unpacking them.
      if (position <= after || !starts.some((start) => line.startsWith(start))) continue
      if (minTime && timeOf(line) < minTime()) continue
      yield { position, testCase: JSON.parse(line) as TestCase }
    }
  }

  /** Keeps the totals, so that a pipeline still shows its number of tests. */
  async deleteTestReport(jobId: number): Promise<void> {
    const row = await this.database
      .selectFrom('test_report')
      .select('blob_key')
      .where('job_id', '=', jobId)
      .where('blob_key', '!=', '')
      .executeTakeFirst()
    if (!row) return
    await this.database.updateTable('test_report').set({ blob_key: '' }).where('job_id', '=', jobId).execute()
    await this.blobs.delete(row.blob_key)
  }

  /** The row; its bytes go with the folder of the job. */
  async deleteRow(jobId: number): Promise<void> {
    await this.database.deleteFrom('test_report').where('job_id', '=', jobId).execute()
  }
}

/** False if a report exists already. */
async function insertReport(database: Database, row: Insertable<TestReportTable>): Promise<boolean> {
  const inserted = await database
    .insertInto('test_report')
    .values(row)
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .returning('job_id')
    .executeTakeFirst()
  return inserted !== undefined
}

async function runContext(database: Database, { name, project_id, pipeline_id, ref, tag }: TestedJob) {
  const { sha } = await database
    .selectFrom('pipeline')
    .select('sha')
    .where('id', '=', pipeline_id)
    .executeTakeFirstOrThrow()
  return { project_id, pipeline_id, suite: suiteOfJob(name), ref, tag, sha }
}

/** `rspec 1/3` belongs to the suite `rspec`; instances of a matrix have separate suites. */
export function suiteOfJob(jobName: string): string {
  return jobName.replace(/ \d+\/\d+$/, '')
}

const STATUSES: readonly TestStatus[] = ['success', 'failed', 'skipped', 'error']

/** The beginning of the line of a case with this status. */
function startOfLine(status: TestStatus): string {
  const start: Pick<TestCase, 'status'> = { status }
  return JSON.stringify(start).slice(0, -1)
}

const TIME = '"execution_time":'

/** The time of the case in a line, which need not be parsed for it: quotes within texts are escaped. */
function timeOf(line: string): number {
  return Number.parseFloat(line.slice(line.indexOf(TIME) + TIME.length))
}

function noSums(): Sums {
  return { total_time: 0, success_count: 0, failed_count: 0, skipped_count: 0, error_count: 0 }
}

async function* counted(
  cases: AsyncIterable<TestCase>,
  sums: Sums,
  failed: FailedCases,
): AsyncGenerator<string> {
  for await (const { status, ...testCase } of cases) {
    sums[`${status}_count`]++
    sums.total_time += testCase.execution_time
    if (isFailure(status)) failed.add(testCase)
    yield `${JSON.stringify({ status, ...testCase })}\n`
  }
}

/** The reader of the stream receives errors of `lines`. */
function packed(lines: AsyncIterable<string>): Readable {
  return pipeline(Readable.from(inPieces(lines)), createGzip(), () => undefined)
}

/** In characters. Compressing 200,000 lines one by one takes eight times as long as compressing them in pieces. */
const PIECE = 64 * 1024

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const line of lines) {
    piece += line
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** Unpacking checks the size and a checksum. Throws `DifferentBlobError` for a report that is damaged. */
async function* unpackedReport(packed: Readable, key: string): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(packed, createGunzip(), () => undefined)
  } catch (error) {
    if (!isZlibError(error)) throw error
    throw new DifferentBlobError(`The test report ${key}`, 'it cannot be unpacked', { cause: error })
  }
}

/** Each line ends with a newline. */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
