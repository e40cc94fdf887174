import { DEVELOPER } from '../access/access-levels.js'
import { may } from '../access/access.js'
import type { Project, User } from '../access/caller.js'
import { failureOfLog, sectionOfLog } from '../ci/storage/log-excerpts.js'
import type { TraceIndexes } from '../ci/storage/trace-indexes.js'
import type { Database } from '../database/connect.js'
import { createProjectAccessReader } from '../hosting/projects/find-project.js'
import { accessIn } from '../http/handle-operation.js'
import type { LoggedJob } from '../integrations/mail/pipeline-mails.js'

/** Lines of the log of a failed job that mails have. */
const LINES = 10

interface Deps {
  database: Database
  traceIndexes: TraceIndexes
}

/** Reads the lines of the log of a job that say why it failed; empty if the user may not read it. */
export function logFailureForUser({ database, traceIndexes }: Deps) {
  const deps = { projectAccessOf: createProjectAccessReader(database) }
  return async (user: User, project: Project, job: LoggedJob): Promise<string> => {
    const access = await accessIn(deps, user, project)
    if (!may('read_pipelines', { project, ...access })) return ''
    return job.debug_trace && access.accessLevel < DEVELOPER ? '' : logFailure(traceIndexes, job)
  }
}

/** The same for those whom the settings of an integration name, who get no debug log. */
export function logFailureForOthers({ database, traceIndexes }: Deps) {
  return async (jobId: number): Promise<string> => {
    const job = await database
      .selectFrom('job')
      .select(['id', 'project_id', 'debug_trace', 'erased_at'])
      .where('id', '=', jobId)
      .executeTakeFirst()
    return !job || job.debug_trace ? '' : logFailure(traceIndexes, job)
  }
}

/** Lines of output that a chat gets. */
const CHAT_LINES = 100

/** Reads what a job has written for the chat, or else the output of its script; undefined without output. */
export function outputForChat(indexes: TraceIndexes) {
  return async (job: LoggedJob): Promise<string | undefined> => {
    if (job.debug_trace || job.erased_at !== null) return undefined
    return sectionOfLog(indexes, job, ['chat_reply', 'step_script'], CHAT_LINES)
  }
}

async function logFailure(indexes: TraceIndexes, job: LoggedJob): Promise<string> {
  return job.erased_at === null ? failureOfLog(indexes, job, LINES) : ''
}
