import type { Readable } from 'node:stream'

import { type Insertable, type Selectable, sql } from 'kysely'

import { isSupported } from '../../../../archive/packed-entry.js'
import type { Database } from '../../../database/connect.js'
import { isInJson } from '../../../database/json-rows.js'
import { keyedRead } from '../../../database/keyed-read.js'
import { preparedRead } from '../../../database/prepared-read.js'
import type { Placeholder } from '../../../database/prepared-statement.js'
import type { JobArtifactTable } from '../../../database/tables/artifacts.js'
import type { ProjectRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import type { BlobStore, ByteRange, DownloadHeaders, StoredBlob } from '../blob-store.js'
import { BlobTooLargeError } from '../errors.js'
import { expectedDownloadUrl, readExpected } from '../read-expected.js'
import type { FolderListing, ListingRange } from './archive-directory.js'
import { ArchiveIndexes } from './archive-indexes.js'
import { artifactFolder, type ArtifactOwner, newArtifactKey } from './artifact-key.js'
import { artifactLimit } from './artifact-limit.js'
import { keepArtifacts } from './keep-artifacts.js'
import { TestReports } from './test-reports.js'
import { isEntryPath, type OpenEntry, openZipEntry, zipOfFolder, zipSource } from './zip-entry.js'

export type Artifact = Selectable<JobArtifactTable>

/** What a row says of a stored zip. */
export type ZipRow = Pick<Artifact, 'blob_key' | 'size' | 'sha256'>

export interface ArtifactUpload {
  file_type: string
  file_format: Artifact['file_format']
  filename: string
  expire_at: number | null
}

export type StoreResult =
  | { kind: 'stored'; artifact: Artifact }
  /** An artifact of this type with the same bytes already exists. */
  | { kind: 'same' }
  /** A different artifact of this type exists and is kept. */
  | { kind: 'different' }

const NEVER = new AbortController().signal

export type ListingResult =
  | { kind: 'found'; listing: FolderListing }
  | { kind: 'missing' }
  | { kind: 'invalid-path' }
  /** The archive has too many files. */
  | { kind: 'too-large' }

export type EntryResult = { kind: 'found'; entry: OpenEntry } | { kind: 'missing' } | { kind: 'invalid-path' }

/**
 * Files of jobs: a row with the metadata and a blob with the bytes. The blob is written before its row and
 * deleted after it, so that a row always has its bytes. A row with an empty `blob_key` records an expired
 * artifact. A job that needs it therefore fails instead of running without it (CI language, 16.2).
 */
export class Artifacts {
  readonly testReports: TestReports
  private readonly indexes = new ArchiveIndexes()

  constructor(
    private readonly database: Database,
    private readonly blobs: BlobStore,
    /** Limit of the instance. */
    private readonly maxBytes: () => Promise<number>,
    /** Records that dependent jobs get an archive of this one. */
    private readonly markOutputs: (tx: Transaction, jobId: number) => Promise<void>,
  ) {
    this.testReports = new TestReports(database, blobs)
  }

  /**
   * Maximum size of an artifact of the project, in bytes: the limit of the instance, or the lower limit of
   * the project.
   */
  async limitOf(projectId: number): Promise<number> {
    const project = await limitOfProject(this.database, projectId)
    return this.limitFor({ max_artifacts_size: project?.max_artifacts_size ?? null })
  }

  /** As `limitOf`, for a project that has been read. */
  async limitFor({ max_artifacts_size }: Pick<ProjectRow, 'max_artifacts_size'>): Promise<number> {
    return artifactLimit(await this.maxBytes(), max_artifacts_size)
  }

  /** Throws `BlobTooLargeError` as soon as `body` is longer than the limit of the project. */
  async store(job: ArtifactOwner, upload: ArtifactUpload, body: Readable): Promise<StoreResult> {
    const blobKey = newArtifactKey(job)
    const maxBytes = await this.limitOf(job.project_id)
    return this.record(job, upload, blobKey, await this.blobs.write(blobKey, body, maxBytes))
  }

  /** Like `store`, for a local file, which is not deleted. */
  async storeFile(
    job: ArtifactOwner,
    upload: ArtifactUpload,
    file: string,
    measured: StoredBlob,
  ): Promise<StoreResult> {
    const maxBytes = await this.limitOf(job.project_id)
    if (measured.size > maxBytes) throw new BlobTooLargeError(maxBytes)
    const blobKey = newArtifactKey(job)
    await this.blobs.storeFile(blobKey, file)
    return this.record(job, upload, blobKey, measured)
  }

  /** The downloadable artifact of a type; the archive by default. */
  async find(jobId: number, fileType = 'archive'): Promise<Artifact | undefined> {
    const row = await this.row(jobId, fileType)
    return row && row.blob_key !== '' ? row : undefined
  }

  /** Every artifact of the jobs that can be downloaded. */
  async ofJobs(jobIds: number[]): Promise<Artifact[]> {
    return jobIds.length === 0 ? [] : artifactsOfJobs(this.database, { jobIds: JSON.stringify(jobIds) })
  }

  /** The artifacts of these types of the latest jobs of a pipeline that can be downloaded, in the order of the jobs. */
  ofPipeline(pipelineId: number, fileTypes: readonly string[]): Promise<Artifact[]> {
    return this.database
      .selectFrom('job_artifact')
      .innerJoin('job', 'job.id', 'job_artifact.job_id')
      .selectAll('job_artifact')
      .where('job.pipeline_id', '=', pipelineId)
      .where('job.retried', '=', false)
      .where('job_artifact.file_type', 'in', fileTypes)
      .where('job_artifact.blob_key', '!=', '')
      .orderBy('job.id')
      .execute()
  }

  /** The bytes, or the part `range` of them, compared with the row (`readExpected`). */
  open(artifact: Artifact, range?: ByteRange): Promise<Readable> {
    return readExpected(this.blobs, artifact.blob_key, artifact, range)
  }

  /** An address at which the store sends the bytes itself, if it does. */
  downloadUrl(artifact: Artifact, headers: DownloadHeaders): Promise<string | undefined> {
    return expectedDownloadUrl(this.blobs, artifact.blob_key, artifact, headers)
  }

  /** One file of a stored zip, without unpacking the rest. Throws the reason of `signal`. */
  async openEntry(
    { blob_key: key, size, sha256 }: ZipRow,
    path: string,
    signal: AbortSignal = NEVER,
  ): Promise<EntryResult> {
    if (!isEntryPath(path)) return { kind: 'invalid-path' }
    const entry = await openZipEntry(
      { blobs: this.blobs, indexes: this.indexes },
      { key, size, sha256, path },
      signal,
    )
    return entry ? { kind: 'found', entry } : { kind: 'missing' }
  }

  /** Whether a stored zip has a file with this name that can be unpacked. Throws the reason of `signal`. */
  async hasEntry(
    { blob_key: key, size, sha256 }: ZipRow,
    path: string,
    signal: AbortSignal = NEVER,
  ): Promise<boolean> {
    if (!isEntryPath(path)) return false
    const entry = await this.indexes.find(key, zipSource(this.blobs, { key, size, sha256 }), path, signal)
    return entry !== undefined && isSupported(entry)
  }

  /** Whether a stored zip has a folder with this name. Unknown, and thus false, for one with too many files. */
  async hasFolder(artifact: ZipRow, path: string, signal: AbortSignal = NEVER): Promise<boolean> {
    return (await this.listFolder(artifact, path, { offset: 0, count: 0 }, signal)).kind === 'found'
  }

  /**
   * The entries of a folder of a stored zip; an empty path is the whole zip. Throws the reason of `signal`.
   */
  async listFolder(
    { blob_key: key, size, sha256 }: ZipRow,
    path: string,
    range: ListingRange,
    signal: AbortSignal,
  ): Promise<ListingResult> {
    if (path !== '' && !isEntryPath(path)) return { kind: 'invalid-path' }
    const listing = await this.indexes.list(
      key,
      zipSource(this.blobs, { key, size, sha256 }),
      path,
      range,
      signal,
    )
    if (listing === 'too-large') return { kind: 'too-large' }
    return listing ? { kind: 'found', listing } : { kind: 'missing' }
  }

  /** A zip of a folder of a stored zip. */
  zipFolder({ blob_key: key, size, sha256 }: ZipRow, path: string): Promise<Readable> {
    return zipOfFolder(this.blobs, { key, size, sha256, path })
  }

  /** The complete content of one file in the archive of a job; undefined if the job has no such file. */
  async readArchived(
    jobId: number,
    path: string,
    maxBytes: number,
  ): Promise<Buffer | 'too-large' | undefined> {
    const archive = await this.find(jobId)
    const found = archive && (await this.openEntry(archive, path))
    if (found?.kind !== 'found') return undefined
    return readAtMost(found.entry, maxBytes)
  }

  /** Cancels the expiry of the artifacts of a job; false if there are none. */
  keep(jobId: number): Promise<boolean> {
    return keepArtifacts(this.database, [jobId])
  }

  /** The cleanup deletes them later, except locked ones (`deleteExpiredArtifacts`). */
  async expireAllOf(projectId: number): Promise<void> {
    await this.database
      .updateTable('job_artifact')
      .set({ expire_at: Date.now() })
      .where('project_id', '=', projectId)
      .where('blob_key', '!=', '')
      .execute()
  }

  async deleteOfJob(job: ArtifactOwner): Promise<void> {
    await this.database.deleteFrom('job_artifact').where('job_id', '=', job.id).execute()
    await this.testReports.deleteRow(job.id)
    await this.blobs.deleteBelow(artifactFolder(job))
  }

  /** Deletes the bytes of a project whose rows are deleted. */
  async deleteProject(projectId: number): Promise<void> {
    await this.blobs.deleteBelow(`artifacts/${projectId}`)
  }

  private async record(
    job: ArtifactOwner,
    upload: ArtifactUpload,
    blobKey: string,
    stored: StoredBlob,
  ): Promise<StoreResult> {
    const artifact = await this.insertOrDrop({
      ...upload,
      ...stored,
      project_id: job.project_id,
      job_id: job.id,
      blob_key: blobKey,
      created_at: Date.now(),
    })
    if (artifact) return { kind: 'stored', artifact }
    await this.blobs.delete(blobKey)
    const present = await this.row(job.id, upload.file_type)
    return { kind: present?.sha256 === stored.sha256 ? 'same' : 'different' }
  }

  /** Deletes the bytes if the row cannot be inserted because the job was deleted in the meantime. */
  private async insertOrDrop(row: Insertable<JobArtifactTable>): Promise<Artifact | undefined> {
    try {
      return await this.insert(row)
    } catch (error) {
      await this.blobs.delete(row.blob_key)
      throw error
    }
  }

  /** Undefined if the job already has an artifact of this type. */
  private insert(row: Insertable<JobArtifactTable>): Promise<Artifact | undefined> {
    return inTransaction(this.database, async (tx) => {
      if (row.file_type === 'archive') await this.markOutputs(tx, row.job_id)
      return tx
        .insertInto('job_artifact')
        .values(row)
        .onConflict((conflict) => conflict.columns(['job_id', 'file_type']).doNothing())
        .returningAll()
        .executeTakeFirst()
    })
  }

  private async row(jobId: number, fileType: string): Promise<Artifact | undefined> {
    return (await artifactOfType(this.database, { jobId, fileType }))[0]
  }
}

const limitOfProject = keyedRead('id', (database) =>
  database.selectFrom('project').select(['id', 'max_artifacts_size']),
)

const artifactsOfJobs = preparedRead((database, { jobIds }: { jobIds: Placeholder<string> }, dialect) =>
  database
    .selectFrom('job_artifact')
    .selectAll()
    .where(isInJson(dialect, sql.ref('job_id'), jobIds))
    .where('blob_key', '!=', '')
    .orderBy('id'),
)

interface OfType extends Record<string, Placeholder<unknown>> {
  jobId: Placeholder<number>
  fileType: Placeholder<string>
}

const artifactOfType = preparedRead((database, { jobId, fileType }: OfType) =>
  database
    .selectFrom('job_artifact')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('file_type', '=', fileType),
)

/** The sizes in an archive may be wrong. */
async function readAtMost({ body, size }: OpenEntry, maxBytes: number): Promise<Buffer | 'too-large'> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    if (size > maxBytes) return 'too-large'
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) return 'too-large'
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    body.destroy()
  }
}
