import { refusalInProject } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import type { ProjectPermission } from '../../access/permissions.js'
import { createPipelineOnRef } from '../../ci/engine/create/create-on-ref.js'
import type { EngineDeps } from '../../ci/engine/engine-deps.js'
import { refusalToPlay } from '../../ci/engine/permissions/refusal-to-run-on.js'
import { playJob } from '../../ci/engine/retry/play.js'
import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { ApiError } from '../../http/errors.js'
import { slackLink } from '../../integrations/services/format-message.js'
import { type CallerInProject, managesIssues, requireIssue } from '../access/issue-access.js'
import { createIssue, editIssue, type Origin } from '../issues/issues.js'
import { listProjectIssues } from '../issues/list.js'
import type { IssueRow } from '../stores/issue-store.js'
import { type Command, parseCommand, USAGE } from './parse-command.js'
import type { ChatReplies } from './replies.js'
import type { CommandResponse, SlashCommand } from './schema.js'

export interface CommandDeps {
  database: Database
  engine: EngineDeps
  /** Public address without a trailing slash. */
  externalUrl: string
  chatReplies: Pick<ChatReplies, 'expect'>
}

/** Who gives a command, to which project and how. */
export interface Commander {
  caller: CallerInProject & { user: User }
  origin: Origin
  given: SlashCommand
}

/** Does what a chat user asks for, as far as the user of this instance may. */
export async function runCommand(deps: CommandDeps, commander: Commander): Promise<CommandResponse> {
  const command = parseCommand(commander.given.text ?? '')
  const denied = isAllowed(commander.caller, command) ? undefined : privately(NOT_ALLOWED)
  if (denied) return denied
  try {
    return await perform(deps, commander, command)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return privately(error.status === 403 ? NOT_ALLOWED : sentenceOf(error))
  }
}

const NOT_ALLOWED = 'You are not allowed to do this.'

export function privately(text: string): CommandResponse {
  return { response_type: 'ephemeral', text }
}

function publicly(text: string): CommandResponse {
  return { response_type: 'in_channel', text }
}

function sentenceOf({ status, body }: ApiError): string {
  if (status === 404) return 'There is no such thing, or you may not see it.'
  const { message, error } = body
  const text = message ?? error
  return `This is not possible: ${plain(typeof text === 'string' ? text : JSON.stringify(text))}`
}

/** The permission of the operation of the API that does the same, and its method. */
const NEEDED: Record<Exclude<Command['kind'], 'help' | 'unknown'>, [string, ProjectPermission]> = {
  'new-issue': ['POST', 'create_issues'],
  'show-issue': ['GET', 'read_issues'],
  'close-issue': ['PUT', 'read_issues'],
  'search-issues': ['GET', 'read_issues'],
  run: ['POST', 'run_pipelines'],
  deploy: ['POST', 'run_pipelines'],
}

function isAllowed(
  { user, project, accessLevel, membership }: CallerInProject & { user: User },
  { kind }: Command,
): boolean {
  if (user.state !== 'active') return false
  if (kind === 'help' || kind === 'unknown') return true
  const [method, permission] = NEEDED[kind]
  const caller = { kind: 'user', user, scopes: [] as string[], tokenId: undefined } as const
  const attempt = { caller, operation: { method }, accessLevel, membership }
  return refusalInProject(permission, project, attempt) === undefined
}

function perform(deps: CommandDeps, commander: Commander, command: Command): Promise<CommandResponse> {
  switch (command.kind) {
    case 'help':
      return Promise.resolve(privately(usage(commander)))
    case 'unknown':
      return Promise.resolve(privately(`This is not a command.\n${usage(commander)}`))
    case 'new-issue':
      return createNew(deps, commander, command)
    case 'show-issue':
      return show(deps, commander, command.iid)
    case 'close-issue':
      return close(deps, commander, command.iid)
    case 'search-issues':
      return search(deps, commander, command.text)
    case 'run':
      return run(deps, commander, command)
    case 'deploy':
      return deploy(deps, commander, command)
  }
}

function usage({ given: { command = '/project' } }: Commander): string {
  return ['Commands:', ...USAGE.map((one) => `• ${plain(`${command} ${one}`)}`)].join('\n')
}

/** Longest title, in characters. */
const MAX_TITLE_LENGTH = 255

async function createNew(
  deps: CommandDeps,
  { caller, origin }: Commander,
  { title, description }: { title: string; description: string },
): Promise<CommandResponse> {
  if (title.length > MAX_TITLE_LENGTH) return privately(`A title has at most ${MAX_TITLE_LENGTH} characters.`)
  const params = { title, ...(description !== '' && { description }) }
  const row = await createIssue(deps.database, caller, params, origin)
  return publicly(`${plain(caller.user.name)} created the issue ${issueLink(deps, caller.project, row)}`)
}

async function show(deps: CommandDeps, { caller }: Commander, iid: number): Promise<CommandResponse> {
  const row = await requireIssue(deps.database, caller, iid)
  return aboutIssue(row, `${issueLink(deps, caller.project, row)} (${row.state})`)
}

async function close(deps: CommandDeps, { caller }: Commander, iid: number): Promise<CommandResponse> {
  const before = await requireIssue(deps.database, caller, iid)
  const link = issueLink(deps, caller.project, before)
  if (before.state === 'closed') return privately(`The issue ${link} is closed already.`)
  const row = await editIssue(deps.database, caller, { issue_iid: iid, state_event: 'close' })
  return aboutIssue(row, `${plain(caller.user.name)} closed the issue ${link}`)
}

/** The channel may have readers who do not see confidential issues. */
function aboutIssue({ confidential }: IssueRow, text: string): CommandResponse {
  return confidential ? privately(text) : publicly(text)
}

const MAX_FOUND = 5

async function search(deps: CommandDeps, { caller }: Commander, text: string): Promise<CommandResponse> {
  const seen = { projectId: caller.project.id, viewer: caller.user, seesAll: managesIssues(caller) }
  const paging = { page: 1, perPage: MAX_FOUND, offset: 0 }
  const { rows } = await listProjectIssues(deps.database, seen, { search: text }, paging)
  if (rows.length === 0) return privately('No issue was found.')
  return privately(rows.map((row) => `• ${issueLink(deps, caller.project, row)} (${row.state})`).join('\n'))
}

async function run(
  { engine, externalUrl, chatReplies }: CommandDeps,
  { caller, given }: Commander,
  { job, input }: { job: string; input: string },
): Promise<CommandResponse> {
  const { project, user } = caller
  if (project.default_branch === null) return privately('The project has no branch.')
  const variable = (key: string, value: string) => ({
    key,
    value,
    variable_type: 'env_var' as const,
    raw: true,
  })
  const creation = await createPipelineOnRef(engine, {
    project,
    user,
    source: 'chat',
    ref: `refs/heads/${project.default_branch}`,
    onlyJob: job,
    variables: [
      variable('CHAT_INPUT', input),
      variable('CHAT_CHANNEL', given.channel_id ?? ''),
      variable('CHAT_USER_ID', given.user_id ?? ''),
    ],
  })
  if (creation.kind === 'refused') return privately(`The job was not started: ${plain(creation.message)}`)
  const { id } = creation.pipeline
  if (given.response_url !== undefined) await chatReplies.expect(id, given.response_url)
  const url = `${externalUrl}/${project.full_path}/-/pipelines/${id}`
  const link = slackLink({ name: `pipeline #${id}`, url })
  return publicly(`${plain(user.name)} started ${plain(job)} in ${link}`)
}

async function deploy(
  { database, engine, externalUrl }: CommandDeps,
  { caller }: Commander,
  { from, to }: { from: string; to: string },
): Promise<CommandResponse> {
  const { project, user } = caller
  const job = await jobThatDeploys(database, project, { from, to })
  if (!job) return privately(`The last deployment to ${plain(from)} has no manual job for ${plain(to)}.`)
  const refusal = await refusalToPlay(engine, { project, user }, job)
  if (refusal) return privately(plain(refusal.message))
  const played = await playJob(engine, job, user)
  if (typeof played === 'string') return privately(`The job ${plain(job.name)} cannot be started by you now.`)
  const url = `${externalUrl}/${project.full_path}/-/jobs/${played.id}`
  return publicly(
    `${plain(user.name)} deploys ${plain(from)} to ${plain(to)}: ${slackLink({ name: job.name, url })}`,
  )
}

/** A manual job of the pipeline that was last deployed to one environment, for another environment. */
async function jobThatDeploys(
  database: Database,
  { id }: Project,
  { from, to }: { from: string; to: string },
): Promise<JobRow | undefined> {
  const last = await database
    .selectFrom('deployment')
    .innerJoin('environment', 'environment.id', 'deployment.environment_id')
    .innerJoin('job', 'job.id', 'deployment.job_id')
    .select('job.pipeline_id')
    .where('environment.project_id', '=', id)
    .where('environment.name', '=', from)
    .where('deployment.status', '=', 'success')
    .orderBy('deployment.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return undefined
  const jobs = await database
    .selectFrom('job')
    .innerJoin('environment', 'environment.id', 'job.environment_id')
    .selectAll('job')
    .where('job.pipeline_id', '=', last.pipeline_id)
    .where('job.status', '=', 'manual')
    .where('job.retried', '=', false)
    .where('job.environment_action', '=', 'start')
    .where('environment.name', '=', to)
    .orderBy('job.id')
    .execute()
  return jobs.find(({ name }) => name === to) ?? jobs[0]
}

function issueLink({ externalUrl }: CommandDeps, { full_path }: Project, { iid, title }: IssueRow): string {
  return slackLink({ name: `#${iid} ${title}`, url: `${externalUrl}/${full_path}/-/issues/${iid}` })
}

/** A text without meaning in the markup of Slack. */
function plain(text: string): string {
  return slackLink({ name: text, url: '' })
}
