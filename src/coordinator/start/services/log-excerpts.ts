import type { Logger } from '../../../lib/logger.js'
import { DEVELOPER } from '../../access/access-levels.js'
import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import { missingBytes } from '../../ci/engine/missing-bytes.js'
import { failureOfLog, type LogExcerpt, sectionOfLog } from '../../ci/storage/log-excerpts.js'
import type { TraceIndexes } from '../../ci/storage/trace-indexes.js'
import type { Database } from '../../database/connect.js'
import { createProjectAccessReader } from '../../hosting/projects/find-project.js'
import { accessIn } from '../../http/handle-operation.js'
import type { LoggedJob } from '../../integrations/mail/pipeline-mails.js'

/** Lines of the log of a failed job that mails have. */
const LINES = 10

interface Deps {
  database: Database
  logger: Logger
  traceIndexes: TraceIndexes
}

/** Reads the lines of the log of a job that say why it failed; empty if the user may not read it. */
export function logFailureForUser(deps: Deps) {
  const access = { projectAccessOf: createProjectAccessReader(deps.database) }
  return async (user: User, project: Project, job: LoggedJob): Promise<string> => {
    const found = await accessIn(access, user, project)
    if (!may('read_pipelines', { project, ...found })) return ''
    return job.debug_trace && found.accessLevel < DEVELOPER ? '' : logFailure(deps, job)
  }
}

/** Like `logFailureForUser`, for recipients that the settings of an integration name. They get no debug log. */
export function logFailureForOthers(deps: Deps) {
  return async (jobId: number): Promise<string> => {
    const job = await deps.database
      .selectFrom('job')
      .select(['id', 'project_id', 'debug_trace', 'erased_at'])
      .where('id', '=', jobId)
      .executeTakeFirst()
    return !job || job.debug_trace ? '' : logFailure(deps, job)
  }
}

/** Lines of output that a chat gets. */
const CHAT_LINES = 100

/** Reads what a job has written for the chat, or else the output of its script; undefined without output. */
export function outputForChat(deps: Deps) {
  return async (job: LoggedJob): Promise<string | undefined> => {
    if (job.debug_trace || job.erased_at !== null) return undefined
    const output = await sectionOfLog(deps.traceIndexes, job, ['chat_reply', 'step_script'], CHAT_LINES)
    return (await withDamage(deps, job, output)) || undefined
  }
}

async function logFailure(deps: Deps, job: LoggedJob): Promise<string> {
  if (job.erased_at !== null) return ''
  return withDamage(deps, job, await failureOfLog(deps.traceIndexes, job, LINES))
}

/** Adds a line to lines of a log of which bytes are gone. */
async function withDamage(
  { database, logger }: Deps,
  { id }: Pick<LoggedJob, 'id'>,
  { text, bytes }: LogExcerpt,
): Promise<string> {
  const job = await database
    .selectFrom('job')
    .select(['id', 'status', 'trace_bytes'])
    .where('id', '=', id)
    .executeTakeFirst()
  const missing = job ? await missingBytes({ database, logger }, job, bytes) : 0
  if (missing === 0) return text
  const damage = `[The log is damaged: the last ${missing.toLocaleString('en')} bytes are missing]`
  return text === '' ? damage : `${text}\n${damage}`
}
