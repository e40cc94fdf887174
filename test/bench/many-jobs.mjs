import { sql } from 'kysely'

import { copyRow } from './list-rows.mjs'

/** @typedef {import('../../src/coordinator/database/connect.js').Database} Database */

/** Above the rows of `makeMany`. */
const FIRST_ID = 1_000_000
const JOBS_PER_PIPELINE = 20
const JOBS_PER_STAGE = 5
/** Projects that share the older half of the pipelines. They have no repository, so the newer half is of one that does. */
const PROJECTS = 1000
const FIRST_PROJECT = 1000
/** Between two pipelines: 10 million jobs are those of a hundred days. */
const MILLISECONDS_APART = 17_000
const TABLES = ['pipeline', 'stage', 'job', 'job_artifact']

/**
 * Pipelines of 20 jobs in four stages, made by the database itself: half of them in one project, the others in 1,000
 * projects. One job of 50 failed, and every fourth one has artifacts. Needs `makeMany` with at least 2,000 rows.
 * @param {Database} database on PostgreSQL, whose user is a superuser
 * @param {{ project: number, shas: string[] }} place with commits of the project, which share the pipelines
 * @param {number} jobs
 */
export async function makeManyJobs(database, place, jobs) {
  await database.connection().execute(async (connection) => {
    const indexes = await dropIndexes(connection)
    // Foreign keys are not checked row by row.
    await sql`set session_replication_role = replica`.execute(connection)
    await copyAll(connection, place, jobs)
    await sql`set session_replication_role = origin`.execute(connection)
    for (const index of indexes) await sql.raw(index).execute(connection)
  })
}

/**
 * Drops the indexes of the tables that are no constraints.
 * @param {Database} database
 * @returns {Promise<string[]>} the statements that create them again
 */
async function dropIndexes(database) {
  const { rows } = await sql`select indexname as name, indexdef as definition from pg_indexes
    where tablename in (${sql.join(TABLES)})
      and not exists (select 1 from pg_constraint where conname = indexname)`.execute(database)
  const indexes = /** @type {{ name: string, definition: string }[]} */ (rows)
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(database)
  return indexes.map(({ definition }) => definition)
}

/**
 * @param {Database} database
 * @param {{ project: number, shas: string[] }} place
 * @param {number} jobs
 */
async function copyAll(database, { project, shas }, jobs) {
  const pipelines = jobs / JOBS_PER_PIPELINE
  const stages = JOBS_PER_PIPELINE / JOBS_PER_STAGE
  const times = timesOf('i', pipelines)
  await copyRow(database, 'pipeline', { id: '1000' }, pipelines, {
    ...times,
    id: `${FIRST_ID} + i`,
    iid: `${FIRST_ID} + i`,
    project_id: projectOf('i', pipelines, project),
    ref: `'branch-' || (i % 1000)`,
    sha: `(array[${shas.map((sha) => `'${sha}'`).join()}])[1 + i % ${shas.length}]`,
    status: `case when i % 5 = 0 then 'failed' else 'success' end`,
  })
  await copyRow(database, 'stage', { id: '1000' }, pipelines * stages, {
    id: `${FIRST_ID} + i`,
    pipeline_id: `${FIRST_ID} + i / ${stages}`,
    name: `'stage ' || (i % ${stages})`,
    position: `i % ${stages}`,
  })
  const pipeline = `(i / ${JOBS_PER_PIPELINE})`
  await copyRow(database, 'job', { id: '1000' }, jobs, {
    ...timesOf(pipeline, pipelines),
    id: `${FIRST_ID} + i`,
    project_id: projectOf(pipeline, pipelines, project),
    pipeline_id: `${FIRST_ID} + ${pipeline}`,
    stage_id: `${FIRST_ID} + i / ${JOBS_PER_STAGE}`,
    stage: `'stage ' || (i / ${JOBS_PER_STAGE} % ${stages})`,
    stage_index: `i / ${JOBS_PER_STAGE} % ${stages}`,
    name: `'job ' || (i % ${JOBS_PER_PIPELINE})`,
    ref: `'branch-' || (${pipeline} % 1000)`,
    status: `case when i % 50 = 0 then 'failed' else 'success' end`,
    trace_bytes: `1000 + i % 100000`,
    token_digest: 'null',
    runner_id: `1000 + i % 1000`,
  })
  await sql`insert into job_artifact
      (project_id, job_id, file_type, file_format, filename, size, sha256, blob_key, expire_at, created_at)
    select project_id, id, 'archive', 'zip', 'artifacts.zip', 1000, '', 'a' || id, null, created_at from job
    where id >= ${sql.lit(FIRST_ID)} and id % 4 = 0`.execute(database)
}

/**
 * @param {string} pipeline SQL, counts from 0
 * @param {number} pipelines
 * @param {number} project
 */
function projectOf(pipeline, pipelines, project) {
  const isOld = `${pipeline} < ${pipelines / 2}`
  return `case when ${isOld} then ${FIRST_PROJECT} + ${pipeline} % ${PROJECTS} else ${project} end`
}

/**
 * @param {string} pipeline
 * @param {number} pipelines
 */
function timesOf(pipeline, pipelines) {
  const created = `original.created_at - (${pipelines} - ${pipeline})::bigint * ${MILLISECONDS_APART}`
  return {
    created_at: created,
    updated_at: `${created} + 60000`,
    queued_at: created,
    started_at: `${created} + 5000`,
    finished_at: `${created} + 60000`,
  }
}
