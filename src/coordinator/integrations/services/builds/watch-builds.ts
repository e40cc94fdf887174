import type { Logger } from '../../../../lib/logger.js'
import { DAY, MINUTE, SECOND } from '../../../../lib/time-units.js'
import type { Project, User } from '../../../access/caller.js'
import { whyReadOnly } from '../../../access/read-only.js'
import { DueWorker } from '../../../background/due-worker.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import { findDueRows, nextDueAt } from '../../../database/due-rows.js'
import type { ReportedState } from '../../../database/tables/commit-statuses.js'
import type { EgressClient } from '../../../egress/egress-client.js'
import type { Fields } from '../fields.js'
import { propertiesOf, secretsOf } from '../integrations.js'
import { type IntegrationKind, kindOfSlug } from '../kinds.js'
import { Settings } from '../settings.js'
import { findIntegrationById } from '../store.js'
import { BUILD_SERVERS, type BuildState } from './build-states.js'
import { type BuildRow, claimBuild, deleteBuild, insertBuild, updateBuild } from './build-store.js'

/** Time between an event and the first request, in milliseconds; the times after it grow with the age of the build. */
const FIRST_DELAY = 10 * SECOND
const SHORTEST_DELAY = 30 * SECOND
const MAX_DELAY = 10 * MINUTE
/** Limits of a request. */
const TIMEOUT = 10 * SECOND
const MAX_BYTES = 1024 * 1024

/** The state of a build, as a status of its commit. */
interface ReportedBuild {
  project: Project
  user: User
  on: { ref: string; tag: boolean }
  sha: string
  /** Tells the status from others of the commit. */
  name: string
  state: ReportedState
  targetUrl?: string
  description?: string
}

export interface BuildWatcherDeps {
  database: Database
  secrets: SecretBox
  egress: EgressClient
  /** Sets the status of a commit. */
  report: (build: ReportedBuild) => Promise<unknown>
  logger: Logger
}

/**
 * Asks CI servers for the state of the builds that events have started, until they end or for a day, and sets the
 * statuses of their commits.
 */
export class BuildWatcher extends DueWorker<BuildRow> {
  constructor(private readonly deps: BuildWatcherDeps) {
    const { database, logger } = deps
    super({
      of: 'Builds of CI servers',
      find: (now, limit) => findDueRows(database, 'external_build', now, limit),
      nextDueAt: () => nextDueAt(database, 'external_build'),
      claim: (build, until) => claimBuild(database, build, until),
      perform: (build, signal) => follow(deps, build, signal),
      logger,
    })
  }

  /** Watches the build that an event has started, if the integration is a CI server that can be asked. */
  async watch(
    { id, slug, project_id }: { id: number; slug: string; project_id: number },
    event: Fields,
  ): Promise<void> {
    const format = kindOfSlug(slug)?.format
    const built = format && BUILD_SERVERS[format] && builtBy(event)
    // The user who pushed may be deleted before the event is sent.
    if (!built || !(await findUser(this.deps.database, built.user_id))) return
    const now = Date.now()
    const due_at = now + FIRST_DELAY
    await insertBuild(this.deps.database, {
      integration_id: id,
      project_id,
      ...built,
      due_at,
      created_at: now,
    })
    this.schedule(due_at)
  }
}

type Built = Pick<BuildRow, 'user_id' | 'ref' | 'tag' | 'sha'>

/** What an event lets a CI server build; undefined for a commit of another project. */
function builtBy(event: Fields): Built | undefined {
  if (event.text('object_kind') === 'merge_request') {
    const request = event.at('object_attributes')
    const isOwn = request.text('source_project_id') === request.text('target_project_id')
    const [ref, sha] = [request.text('source_branch'), request.at('last_commit').text('id')]
    return isOwn && sha !== ''
      ? { user_id: Number(event.at('user').text('id')), ref, tag: false, sha }
      : undefined
  }
  const [, kind, ref = ''] = /^refs\/(heads|tags)\/(.+)$/.exec(event.text('ref')) ?? []
  const sha = event.text('checkout_sha')
  if (kind === undefined || sha === '') return undefined
  return { user_id: Number(event.text('user_id')), ref, tag: kind === 'tags', sha }
}

async function follow(deps: BuildWatcherDeps, build: BuildRow, signal: AbortSignal): Promise<void> {
  const { database } = deps
  const subject = await subjectOf(deps, build)
  if (!subject) return deleteBuild(database, build.id)
  const found = await askedState(deps, subject, build, signal)
  if (found && found.state !== build.state) await report(deps, subject, build, found)
  const state = found?.state ?? build.state
  const age = Date.now() - build.created_at
  if (found && !isUnderWay(found.state)) return deleteBuild(database, build.id)
  if (age < DAY) {
    const delay = Math.min(Math.max(age / 10, SHORTEST_DELAY), MAX_DELAY)
    return updateBuild(database, build.id, { state, due_at: Math.floor(Date.now() + delay) })
  }
  if (state !== null) {
    const description = 'The CI server has given no result within a day'
    await report(deps, subject, build, { state: 'canceled', description })
  }
  await deleteBuild(database, build.id)
}

function isUnderWay(state: ReportedState): boolean {
  return state === 'pending' || state === 'running'
}

/** What a build belongs to. */
interface Subject {
  project: Project
  user: User
  kind: IntegrationKind
  settings: Settings
}

/** Undefined if the integration is not active any more, or the project takes no statuses. */
async function subjectOf(
  { database, secrets }: BuildWatcherDeps,
  { integration_id, project_id, user_id }: BuildRow,
): Promise<Subject | undefined> {
  const row = await findIntegrationById(database, integration_id)
  const kind = row && kindOfSlug(row.slug)
  const project = await database
    .selectFrom('project')
    .selectAll()
    .where('id', '=', project_id)
    .executeTakeFirst()
  const user = await findUser(database, user_id)
  if (!row?.active || !kind || !project || !user || whyReadOnly(project) !== undefined) return undefined
  const settings = new Settings({ ...propertiesOf(row), ...secretsOf(secrets, row) })
  return { project, user, kind, settings }
}

function findUser(database: Database, id: number): Promise<User | undefined> {
  return database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Undefined without a response that says it. */
async function askedState(
  { egress, logger }: BuildWatcherDeps,
  { kind, settings, project }: Subject,
  { sha, integration_id }: BuildRow,
  signal: AbortSignal,
): Promise<BuildState | undefined> {
  const server = kind.format && BUILD_SERVERS[kind.format]
  const commit = { sha, fullPath: project.full_path }
  const lookup = server?.lookup(settings, commit)
  if (!server || !lookup) return undefined
  try {
    const { status, body } = await egress.send({
      ...lookup,
      timeout: TIMEOUT,
      maxBytes: MAX_BYTES,
      acceptsAnyCertificate: settings.flag('enable_ssl_verification') === false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    })
    return status === 200 ? server.read(JSON.parse(body.toString('utf8')), settings, commit) : undefined
  } catch (error) {
    signal.throwIfAborted()
    if (!isNoResponse(error)) throw error
    logger.info({ err: error, integration: integration_id }, 'A CI server did not say the state of a build')
    return undefined
  }
}

/** Errors of the network and of the egress rules have a code; a response that is no JSON has none. */
function isNoResponse(error: unknown): boolean {
  if (error instanceof SyntaxError || error instanceof DOMException) return true
  return error instanceof Error && 'code' in error
}

async function report(
  deps: BuildWatcherDeps,
  { project, user, kind }: Subject,
  { ref, tag, sha }: BuildRow,
  { state, url, description }: { state: ReportedState; url?: string; description?: string },
): Promise<void> {
  await deps.report({
    project,
    user,
    on: { ref, tag },
    sha,
    name: kind.slug,
    state,
    ...(url !== undefined && isWebAddress(url) && { targetUrl: url }),
    ...(description !== undefined && { description }),
  })
}

const MAX_URL_LENGTH = 255

/** The URL becomes a link on pages, and the CI server gives it. */
function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url) && url.length <= MAX_URL_LENGTH
}
