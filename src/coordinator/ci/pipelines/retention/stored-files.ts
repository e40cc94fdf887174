import { sql } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { STATUSES_AT_REST } from '../../engine/pipeline-store.js'
import type { DeletableArtifact } from '../../storage/artifacts/delete-artifact.js'

interface StoredFile {
  jobId: number
  projectId: number
  bytes: number
  /** End of the job, or arrival of the artifact. */
  time: number
}

/** The log of a job that has ended, or an artifact. */
export type LogOrArtifact =
  | (StoredFile & { kind: 'logs' })
  | (StoredFile & { kind: 'artifacts'; artifact: DeletableArtifact })

/** Rows per statement, so that the store serves others in between. */
const ROWS_TO_ADD_UP = 5000
/** Their IDs fit into one statement of either database. */
const ROWS = 500

/** Bytes of logs and artifacts by project ID. Throws the reason of `signal` when it aborts. */
export async function measureFiles(database: Database, signal: AbortSignal): Promise<Map<number, number>> {
  const sizes = new Map<number, number>()
  await addUp(database, { table: 'job', size: 'trace_bytes' }, sizes, signal)
  // Those that have expired have no blob.
  const size = `case when blob_key = '' then 0 else size end`
  await addUp(database, { table: 'job_artifact', size }, sizes, signal)
  return sizes
}

async function addUp(
  database: Database,
  { table, size }: { table: string; size: string },
  sizes: Map<number, number>,
  signal: AbortSignal,
): Promise<void> {
  for (let after = 0; ;) {
    signal.throwIfAborted()
    const { rows } = await sql<{ project_id: number; last: number; bytes: number | null }>`
      select project_id, max(id) as last, cast(sum(bytes) as bigint) as bytes from (
        select id, project_id, ${sql.raw(size)} as bytes from ${sql.table(table)}
        where id > ${after} order by id limit ${ROWS_TO_ADD_UP}) part
      group by project_id`.execute(database)
    if (rows.length === 0) return
    for (const { project_id, last, bytes } of rows) {
      sizes.set(project_id, (sizes.get(project_id) ?? 0) + (bytes ?? 0))
      after = Math.max(after, last)
    }
  }
}

/**
 * The logs and artifacts of the projects that `isWanted` accepts, the oldest first. Leaves out the files of running
 * pipelines, and of the latest successful pipeline of a branch or tag whose artifacts are kept.
 */
export async function* oldestFiles(
  database: Database,
  isWanted: (projectId: number) => boolean,
): AsyncGenerator<LogOrArtifact> {
  const logs = deletable(database, oldestLogs(database), isWanted)
  const artifacts = deletable(database, oldestArtifacts(database), isWanted)
  let [log, artifact] = [await logs.next(), await artifacts.next()]
  while (!log.done || !artifact.done) {
    if (artifact.done || (!log.done && log.value.time <= artifact.value.time)) {
      if (!log.done) yield log.value
      log = await logs.next()
    } else {
      yield artifact.value
      artifact = await artifacts.next()
    }
  }
}

async function* deletable(
  database: Database,
  pages: AsyncIterable<LogOrArtifact[]>,
  isWanted: (projectId: number) => boolean,
): AsyncGenerator<LogOrArtifact> {
  for await (const page of pages) {
    const wanted = page.filter(({ projectId }) => isWanted(projectId))
    if (wanted.length === 0) continue
    const held = await heldJobs(database, [...new Set(wanted.map(({ jobId }) => jobId))])
    for (const file of wanted) if (!held.has(file.jobId)) yield file
  }
}

/** Pages of logs of jobs that ended before `before`, the oldest first. Empty logs are left out. */
export async function* oldestLogs(
  database: Database,
  before = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<LogOrArtifact[]> {
  for (let [time, id] = [0, 0]; ;) {
    const rows = await database
      .selectFrom('job')
      .select(['id', 'project_id', 'trace_bytes', 'finished_at'])
      .where('trace_bytes', 'is not', null)
      .where('finished_at', '<', before)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('finished_at', 'id'), '>', tuple(time, id)))
      .orderBy('finished_at')
      .orderBy('id')
      .limit(ROWS)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows
      .filter(({ trace_bytes }) => trace_bytes !== 0)
      .map(({ id: jobId, project_id, trace_bytes, finished_at }) => ({
        kind: 'logs',
        jobId,
        projectId: project_id,
        bytes: trace_bytes ?? 0,
        time: finished_at ?? 0,
      }))
    time = last.finished_at ?? 0
    id = last.id
  }
}

/** IDs and times of arrival have the same order. */
async function* oldestArtifacts(database: Database): AsyncGenerator<LogOrArtifact[]> {
  for (let after = 0; ;) {
    const rows = await database
      .selectFrom('job_artifact')
      .select(['id', 'project_id', 'job_id', 'file_type', 'blob_key', 'size', 'created_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(ROWS)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows
      .filter(({ blob_key }) => blob_key !== '')
      .map(({ project_id, size, created_at, ...artifact }) => ({
        kind: 'artifacts',
        jobId: artifact.job_id,
        projectId: project_id,
        bytes: size,
        time: created_at,
        artifact,
      }))
    after = last.id
  }
}

/** IDs of the jobs whose files must stay, among `ids`. */
async function heldJobs(database: Database, ids: number[]): Promise<Set<number>> {
  const rows = await database
    .selectFrom('job')
    .innerJoin('pipeline', 'pipeline.id', 'job.pipeline_id')
    .leftJoin('downstream_pipeline as origin', 'origin.pipeline_id', 'job.pipeline_id')
    .leftJoin('pipeline as root', 'root.id', 'origin.root_id')
    .select('job.id')
    .where('job.id', 'in', ids)
    .where(({ eb, or, exists, selectFrom, ref }) =>
      or([
        eb('pipeline.status', 'not in', STATUSES_AT_REST),
        eb('root.status', 'not in', STATUSES_AT_REST),
        exists(
          selectFrom('artifact_lock')
            .select('artifact_lock.pipeline_id')
            .where((lock) =>
              lock.or([
                lock('artifact_lock.pipeline_id', '=', ref('job.pipeline_id')),
                lock('artifact_lock.pipeline_id', '=', ref('origin.root_id')),
              ]),
            ),
        ),
      ]),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}
