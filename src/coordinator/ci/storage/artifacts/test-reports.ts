import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'

import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { TestReportTable } from '../../../database/tables/test-reports.js'
import type { BlobStore } from '../blob-store.js'
import { type ArtifactOwner, newArtifactKey } from './artifact-key.js'

export type TestReport = Selectable<TestReportTable>

export type TestStatus = 'success' | 'failed' | 'skipped' | 'error'

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
  async keep(job: ArtifactOwner, cases: AsyncIterable<TestCase>): Promise<void> {
    const blobKey = newArtifactKey(job)
    const sums = noSums()
    await this.blobs.write(blobKey, packed(counted(cases, sums)))
    const isFirst = await this.insert({ ...sums, job_id: job.id, blob_key: blobKey, created_at: Date.now() })
    if (!isFirst) await this.blobs.delete(blobKey)
  }

  /** Records that the report of a job is unreadable. */
  async storeError(job: { id: number }, error: string): Promise<void> {
    await this.insert({
      ...noSums(),
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

  async *casesOf({ blob_key }: TestReport): AsyncGenerator<TestCase> {
    if (blob_key === '') return
    const unpacked = pipeline(await this.blobs.read(blob_key), createGunzip(), () => undefined)
    for await (const line of linesOf(unpacked)) yield JSON.parse(line) as TestCase
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

  /** False if a report exists already. */
  private async insert(row: Insertable<TestReportTable>): Promise<boolean> {
    const inserted = await this.database
      .insertInto('test_report')
      .values(row)
      .onConflict((conflict) => conflict.column('job_id').doNothing())
      .returning('job_id')
      .executeTakeFirst()
    return inserted !== undefined
  }
}

function noSums(): Sums {
  return { total_time: 0, success_count: 0, failed_count: 0, skipped_count: 0, error_count: 0 }
}

async function* counted(cases: AsyncIterable<TestCase>, sums: Sums): AsyncGenerator<string> {
  for await (const testCase of cases) {
    sums[`${testCase.status}_count`]++
    sums.total_time += testCase.execution_time
    yield `${JSON.stringify(testCase)}\n`
  }
}

/** The reader of the stream receives errors of `lines`. */
function packed(lines: AsyncIterable<string>): Readable {
  return pipeline(Readable.from(lines), createGzip(), () => undefined)
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
