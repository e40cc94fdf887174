import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'

const modules = new URL('../../.switchyard/modules/', import.meta.url)

/**
 * @template T
 * @param {string} path
 * @returns {Promise<T>}
 */
async function compiled(path) {
  return /** @type {T} */ (await import(new URL(path, modules).href))
}

/** @typedef {import('../../src/coordinator/database/connect.js').DatabaseSettings} DatabaseSettings */
/** @typedef {import('../../src/coordinator/ci/engine/engine-deps.js').EngineDeps} EngineDeps */
/** @typedef {import('../../src/coordinator/database/tables/pipeline-rows.js').RunnerRow} RunnerRow */

const PROJECTS = 100
const JOBS_PER_PIPELINE = 100
const TAG_SETS = [[], ['docker'], ['docker', 'linux'], ['gpu'], ['arm']]
const ALL_TAGS = ['docker', 'linux', 'gpu', 'arm']
/** Far above those that were made one by one. */
const FIRST_ID = 1_000_000

/** A store with projects and runners, and the queue in front of it: what a coordinator has, without its HTTP face. */
export class ClaimStore {
  /**
   * @param {EngineDeps} deps
   * @param {RunnerRow[]} runners
   */
  constructor(deps, runners) {
    this.deps = deps
    this.runners = runners
  }

  /**
   * @param {DatabaseSettings} settings of an empty database
   * @param {number} runners of the instance, of a group and of a project in turns; each may take every job of its projects
   */
  static async open(settings, runners) {
    /** @type {typeof import('../../src/coordinator/database/connect.js')} */
    const { connectDatabase } = await compiled('coordinator/database/connect.js')
    /** @type {typeof import('../../src/coordinator/database/migrate.js')} */
    const { migrate } = await compiled('coordinator/database/migrate.js')
    /** @type {typeof import('../../src/coordinator/ci/queue/job-queue.js')} */
    const { JobQueue } = await compiled('coordinator/ci/queue/job-queue.js')
    /** @type {typeof import('../../src/coordinator/crypto/secret-box.js')} */
    const { SecretBox } = await compiled('coordinator/crypto/secret-box.js')
    /** @type {typeof import('../../src/lib/logger.js')} */
    const { createLogger } = await compiled('lib/logger.js')
    const database = connectDatabase(settings)
    const { dialect } = settings
    await migrate(database, settings)
    const logger = createLogger('bench', 'silent')
    const queue = new JobQueue({ database, dialect, logger })
    const lease = { firstContactSeconds: 60, seconds: 300 }
    const parts = { database, dialect, queue, lease, secrets: new SecretBox(randomBytes(32)), logger }
    // Claims reach neither git nor anything outside.
    const deps = /** @type {EngineDeps} */ (/** @type {unknown} */ (parts))
    await insertProjects(deps)
    return new ClaimStore(deps, await insertRunners(deps, runners))
  }

  /** One more pending job in a pipeline of its own. */
  async addJob() {
    await fill(this.deps, FIRST_ID + ++this.added, 1, 1)
  }

  added = 0

  /**
   * Pending jobs of all projects with different tags, a hundred to a pipeline.
   * @param {number} jobs
   */
  async addJobs(jobs) {
    await fill(this.deps, 2 * FIRST_ID, jobs, JOBS_PER_PIPELINE)
    await sql`analyze`.execute(this.deps.database)
  }

  /** Milliseconds until some runner that asks has a job. */
  async timeClaim() {
    /** @type {typeof import('../../src/coordinator/ci/engine/dispatch/dispatch-job.js')} */
    const { dispatchJob } = await compiled('coordinator/ci/engine/dispatch/dispatch-job.js')
    const runner = this.runners[Math.floor(Math.random() * this.runners.length)]
    if (!runner) throw new Error('There are no runners')
    const start = performance.now()
    const dispatched = await dispatchJob(this.deps, { runner, features: {} })
    const time = performance.now() - start
    if (!dispatched) throw new Error(`Runner ${runner.id} got no job`)
    return time
  }

  async close() {
    await this.deps.queue.stop()
    await this.deps.database.destroy()
  }
}

/** @param {EngineDeps} deps */
async function insertProjects({ database }) {
  const now = Date.now()
  const times = { created_at: now, updated_at: now, last_activity_at: now }
  await database
    .insertInto('user')
    .values({ username: 'u', name: 'u', email: 'u', state: 'active', is_admin: true, created_at: now })
    .execute()
  await database
    .insertInto('namespace')
    .values({ kind: 'group', name: 'g', path: 'g', full_path: 'g', visibility: 'private', created_at: now })
    .execute()
  const projects = Array.from({ length: PROJECTS }, (_, index) => ({
    ...{ namespace_id: 1, creator_id: 1, name: `p${index}`, path: `p${index}`, full_path: `g/p${index}` },
    ...{ visibility: /** @type {const} */ ('private'), default_branch: 'main' },
    ...{ runners_token_digest: `p${index}`, runners_token_encrypted: '' },
    ...times,
  }))
  await database.insertInto('project').values(projects).execute()
  const tagSets = TAG_SETS.map((tags) => ({ key: JSON.stringify(tags), tags: JSON.stringify(tags) }))
  await database.insertInto('tag_set').values(tagSets).execute()
}

/**
 * @param {EngineDeps} deps
 * @param {number} count
 */
async function insertRunners({ database }, count) {
  const kinds = /** @type {const} */ (['instance_type', 'group_type', 'project_type'])
  const rows = Array.from({ length: count }, (_, index) => {
    const runner_type = kinds[index % kinds.length] ?? 'instance_type'
    return {
      runner_type,
      group_id: runner_type === 'group_type' ? 1 : null,
      token_digest: `r${index}`,
      tag_list: JSON.stringify(ALL_TAGS),
      created_at: Date.now(),
    }
  })
  const runners = await database.insertInto('runner').values(rows).returningAll().execute()
  const links = runners
    .filter(({ runner_type }) => runner_type === 'project_type')
    .flatMap(({ id }) =>
      Array.from({ length: PROJECTS }, (_, index) => ({ runner_id: id, project_id: index + 1 })),
    )
  for (let start = 0; start < links.length; start += 5000) {
    await database
      .insertInto('runner_project')
      .values(links.slice(start, start + 5000))
      .execute()
  }
  return runners
}

/**
 * Jobs with ids from `first` on, made by the database itself: each pipeline of one project, each job with other tags.
 * @param {EngineDeps} deps
 * @param {number} first
 * @param {number} jobs
 * @param {number} perPipeline
 */
async function fill({ database, dialect }, first, jobs, perPipeline) {
  const now = Date.now()
  const json = sql.raw(dialect === 'postgres' ? '::jsonb' : '')
  const options = JSON.stringify({ script: ['make'], afterScript: [], services: [] })
  /** @param {number} count */
  const numbers = (count) =>
    sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(count - 1)})`
  await sql`${numbers(jobs / perPipeline)}
    insert into pipeline (id, iid, project_id, user_id, ref, tag, sha, before_sha, source, status, protected,
      created_at, updated_at)
    select ${sql.lit(first)} + i, ${sql.lit(first)} + i, 1 + i % ${sql.lit(PROJECTS)}, 1, 'main', false,
      ${'a'.repeat(40)}, ${'0'.repeat(40)}, 'push', 'pending', false, ${sql.lit(now)}, ${sql.lit(now)}
    from n`.execute(database)
  await sql`${numbers(jobs / perPipeline)}
    insert into stage (id, pipeline_id, name, position, status)
    select ${sql.lit(first)} + i, ${sql.lit(first)} + i, 'test', 0, 'pending' from n`.execute(database)
  await sql`${numbers(jobs)}
    insert into job (id, project_id, pipeline_id, stage_id, stage, stage_index, name, status, "when", allow_failure,
      scheduling_type, options, yaml_variables, tag_list, ref, tag, protected, user_id, created_at, updated_at, queued_at)
    select ${sql.lit(first)} + i, 1 + i / ${sql.lit(perPipeline)} % ${sql.lit(PROJECTS)},
      ${sql.lit(first)} + i / ${sql.lit(perPipeline)}, ${sql.lit(first)} + i / ${sql.lit(perPipeline)}, 'test', 0,
      'job ' || i, 'pending', 'on_success', false, 'stage', ${options}${json}, '[]'${json}, '[]'${json}, 'main',
      false, false, 1, ${sql.lit(now)}, ${sql.lit(now)}, ${sql.lit(now)}
    from n`.execute(database)
  await sql`
    insert into queue_entry (job_id, project_id, tag_set_id, protected, instance_runners_allowed, queued_at)
    select id, project_id, 1 + id % ${sql.lit(TAG_SETS.length)}, false, true, ${sql.lit(now)} from job
    where id >= ${sql.lit(first)} and id < ${sql.lit(first + jobs)}`.execute(database)
}
