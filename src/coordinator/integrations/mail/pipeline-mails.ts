import type { Selectable } from 'kysely'

import type { Project, User } from '../../access/caller.js'
import type { EngineEvents } from '../../ci/engine/engine-events.js'
import type { Database } from '../../database/connect.js'
import type { JobTable, PipelineTable } from '../../database/tables/pipelines.js'
import type { Transaction } from '../../database/transaction.js'
import type { NewMail } from './mail-content.js'
import { mailContextOf } from './mail-context.js'
import { type NoticeRow, storeNotice } from './notice-store.js'
import { type Preference, preferencesIn } from './preferences.js'
import { projectHeaders } from './project-headers.js'
import { hostOf } from './queue-mail.js'
import { mailAddressOf, reachableUsers } from './recipient.js'
import { renderBody } from './render-body.js'

type Pipeline = Selectable<PipelineTable>

interface PipelineNotice {
  id: number
  status: 'success' | 'failed'
}

/** Failed jobs that a mail names, and those whose log it has. */
const MAX_JOBS = 20
const MAX_LOGS = 3

/** A job, as far as its log needs it. */
export type LoggedJob = Pick<Selectable<JobTable>, 'id' | 'project_id' | 'debug_trace' | 'erased_at'>

export interface PipelineMailDeps {
  database: Database
  externalUrl: string
  /** The last lines of the log of a job that has ended; empty if the user may not read it. */
  logFailure: (user: User, project: Project, job: LoggedJob) => Promise<string>
}

/** Stores notices of the pipelines that have ended, in the transaction that ends them. Child pipelines have none. */
export async function noticePipelines(tx: Transaction, { pipelines }: EngineEvents): Promise<void> {
  const ended = pipelines.filter(({ status }) => status === 'success' || status === 'failed')
  if (ended.length === 0 || !mailContextOf(tx)) return
  const rows = await tx
    .selectFrom('pipeline')
    .select(['id', 'project_id', 'source'])
    .where(
      'id',
      'in',
      ended.map(({ id }) => id),
    )
    .execute()
  for (const { id, project_id, source } of rows) {
    const status = ended.findLast((one) => one.id === id)?.status
    if (source !== 'parent_pipeline') await storeNotice(tx, 'pipeline', project_id, { id, status })
  }
}

/** The mail about a pipeline to the user who has started it, if the user wants one. */
export async function writePipelineMails(
  deps: PipelineMailDeps,
  { facts }: Pick<NoticeRow, 'facts'>,
): Promise<NewMail[]> {
  const { database, externalUrl } = deps
  const { id, status } = facts as PipelineNotice
  const pipeline = await database.selectFrom('pipeline').selectAll().where('id', '=', id).executeTakeFirst()
  const project =
    pipeline &&
    (await database
      .selectFrom('project')
      .selectAll()
      .where('id', '=', pipeline.project_id)
      .executeTakeFirst())
  if (!pipeline || !project) return []
  const [user] = await reachableUsers(database, [pipeline.user_id])
  const preference = user && (await preferencesIn(database, project.id, [user.id])).get(user.id)
  if (!user || !preference) return []
  const result = status === 'success' && (await wasFailing(database, pipeline)) ? 'fixed' : status
  if (!isWanted(preference, result)) return []
  const to = await mailAddressOf(database, user, preference)
  return [
    {
      userId: user.id,
      to,
      subject: `${project.name} | ${TITLES[result]} for ${pipeline.ref} | ${pipeline.sha.slice(0, 8)}`,
      ...(await contentOf(deps, { user, project, pipeline, result })),
      headers: {
        ...projectHeaders(project, hostOf(externalUrl)),
        'X-GitLab-Pipeline-Id': String(pipeline.id),
        'X-GitLab-Pipeline-Ref': pipeline.ref,
        'X-GitLab-Pipeline-Status': status,
      },
    },
  ]
}

const TITLES = {
  failed: 'Failed pipeline',
  fixed: 'Fixed pipeline',
  success: 'Successful pipeline',
} as const

type Result = keyof typeof TITLES

/** A success after a success is news only to those who have chosen it. */
function isWanted({ level, events }: Preference, result: Result): boolean {
  if (level === 'custom') return events[`${result}_pipeline`] === true
  return (level === 'participating' || level === 'watch') && result !== 'success'
}

/** Whether the last pipeline of the ref that ended before this one has failed. */
async function wasFailing(database: Database, { id, project_id, ref }: Pipeline): Promise<boolean> {
  const previous = await database
    .selectFrom('pipeline')
    .select('status')
    .where('project_id', '=', project_id)
    .where('ref', '=', ref)
    .where('id', '<', id)
    .where('status', 'in', ['success', 'failed'])
    .where('source', '<>', 'parent_pipeline')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return previous?.status === 'failed'
}

interface PipelineNews {
  user: User
  project: Project
  pipeline: Pipeline
  result: Result
}

async function contentOf(
  { database, externalUrl, logFailure }: PipelineMailDeps,
  { user, project, pipeline, result }: PipelineNews,
): Promise<{ text: string; html: string }> {
  const { full_path } = project
  const jobs = result === 'failed' ? await failedJobs(database, pipeline.id) : []
  return renderBody({
    lead: [`Pipeline #${pipeline.id} for ${pipeline.ref} ${ENDS[result]}.`],
    details: [
      ['Project', full_path],
      [pipeline.tag ? 'Tag' : 'Branch', pipeline.ref],
      ['Commit', pipeline.sha.slice(0, 8)],
      ...jobs.map(({ id, name, failure_reason }): [string, string] => [
        `Failed: ${name}`,
        `${failure_reason ? `${failure_reason.replaceAll('_', ' ')}, ` : ''}${externalUrl}/${full_path}/-/jobs/${id}`,
      ]),
    ],
    preformatted: await logsOf(jobs, (job) => logFailure(user, project, job)),
    link: { label: 'View this pipeline', url: `${externalUrl}/${full_path}/-/pipelines/${pipeline.id}` },
    footer: ['You receive this mail because you started the pipeline.'],
  })
}

const ENDS = {
  failed: 'has failed',
  fixed: 'has passed; the one before had failed',
  success: 'has passed',
} as const

/** The ends of some logs, each under the name of its job; null if there is none. */
export async function logsOf<Job extends { name: string }>(
  jobs: readonly Job[],
  logFailure: (job: Job) => Promise<string>,
): Promise<string | null> {
  const logs: string[] = []
  for (const job of jobs.slice(0, MAX_LOGS)) {
    const text = (await logFailure(job)).trim()
    if (text !== '') logs.push(`${job.name}:\n${text}`)
  }
  return logs.length === 0 ? null : logs.join('\n\n')
}

function failedJobs(database: Database, pipelineId: number) {
  return database
    .selectFrom('job')
    .select(['id', 'project_id', 'name', 'failure_reason', 'debug_trace', 'erased_at'])
    .where('pipeline_id', '=', pipelineId)
    .where('status', '=', 'failed')
    .where('retried', '=', false)
    .where('allow_failure', '=', false)
    .orderBy('id')
    .limit(MAX_JOBS)
    .execute()
}
