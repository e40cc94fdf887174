import type { FastifyReply, FastifyRequest } from 'fastify'

import {
  effectiveGroupLevel,
  effectiveLevel,
  isGroupPermission,
  isProjectPermission,
  levelForCode,
  membershipLevel,
  type ProjectAccess,
  refusalInGroup,
  refusalInProject,
  refusalOfCaller,
} from '../access/access.js'
import type { Caller, Group, Project, User } from '../access/caller.js'
import { type AllowsJobTokensOf, visitOfForeignJob } from '../access/foreign-job.js'
import type { GroupPermission, ProjectPermission } from '../access/permissions.js'
import { isWithinLimit } from '../access/project-limit.js'
import { agentOf } from './agent-calls.js'
import { audited, type AuditTrail, authorOf } from './audit-operation.js'
import { isAudited } from './audit.js'
import type { Authenticator } from './authentication/authenticator.js'
import { type CallerRules, createCallerReader } from './authentication/caller.js'
import { refuseUnconfirmed } from './authentication/confirmation.js'
import type { BodyRate } from './body-limits/body-rate.js'
import { serializerOf } from './check-responses.js'
import { accessError, ApiError, checkUnmodified, notFound } from './errors.js'
import { ApiResponse, type BaseCall, type Operation, StreamResponse } from './operation.js'
import { FIRST_PAGE, readPaging } from './paging/paging.js'
import { compileParameters } from './parameters/compile-parameters.js'
import { givenParameters } from './parameters/parameter-source.js'
import type { UploadSpool } from './parameters/upload-spool.js'
import { formTaker } from './parameters/with-files.js'
import { isOfRunners, type RateLimits } from './rate-limits/rate-limits.js'
import { redirectTo } from './redirect.js'
import type { RepeatedResponses } from './repeated-responses.js'
import { cachingHandler, type ResponseCache, type ResponseHandler } from './response-cache.js'
import { renderResult, sendResponse } from './send.js'
import { viewerOf } from './viewer.js'

/** The user, project and group services that operation handling needs. */
export interface OperationDeps {
  authenticator: Authenticator
  /** Accepts the id or the full path of a project. */
  findProject: (idOrPath: string) => Promise<Project | undefined>
  projectAccessOf: (user: User, project: Project) => Promise<ProjectAccess>
  allowsJobTokensOf: AllowsJobTokensOf
  groups: GroupDirectory
  /** Finds the new path of a renamed or moved project or group. */
  moved: RedirectDirectory
  /** The URL that clients use, without a trailing slash. */
  externalUrl: string
  rateLimits: RateLimits
  responseCache: ResponseCache
  repeatedResponses: RepeatedResponses
  /** Stores audit events. */
  auditTrail: AuditTrail
  /** Stores uploaded files while their operation runs. */
  spool: UploadSpool
  /** Time limit for the request body, instead of the default; for tests. */
  bodySeconds?: number
  /** Minimum rate of the request body, instead of the default; for tests. */
  bodyRate?: BodyRate
  /** Returns 500 if a response does not match its declaration; for tests. */
  checkResponses?: boolean
}

/** The group lookups that operation handling needs. */
export interface GroupDirectory {
  /** Accepts the id or the full path of a group. */
  find: (idOrPath: string) => Promise<Group | undefined>
  /** The level of a user's membership, inherited ones included; 0 without one. */
  membershipOf: (user: User, group: Group) => Promise<number>
}

/** Both methods take the old full path. */
interface RedirectDirectory {
  project: (fullPath: string) => Promise<{ project: Project } | undefined>
  namespace: (fullPath: string) => Promise<Group | undefined>
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Creates the Fastify handler of an operation, and prepares everything that does not depend on the request.
 */
export function createHandler(operation: Operation, deps: OperationDeps): Handler {
  const respond = responseHandler(operation, deps)
  const handle =
    operation.cacheable && operation.method === 'GET' ? cachingHandler(operation, respond, deps) : respond
  return async (request, reply) => {
    const { response, caller, repeatableUntil } = await handle(request, reply)
    // A stream may fail at any time, and who sends it listens for that.
    if (!(response instanceof StreamResponse)) await endOfTurn()
    const sent = sendResponse(response, reply)
    if (repeatableUntil !== undefined && caller.kind === 'anonymous')
      deps.repeatedResponses.keep(reply, repeatableUntil)
    return sent
  }
}

/**
 * The responses to requests that arrived together are sent together: to wake a client, or a proxy, that waits on the same
 * machine takes the system longer than all of a short response, and most responses then find it awake.
 */
function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function responseHandler(operation: Operation, deps: OperationDeps): ResponseHandler {
  const { externalUrl, rateLimits } = deps
  const readCaller = createCallerReader(deps, callerRules(operation))
  const readParameters = compileParameters(operation.params, operation)
  const takeForm = formTaker(operation.params, deps.spool)
  const status = Number(Object.keys(operation.responses)[0] ?? 200)
  const serialize = serializerOf(operation, deps.checkResponses ?? false)

  return async (request, reply) => {
    const credentials = givenParameters(request, operation.path)
    const caller = await readCaller(request, credentials)
    request.caller = caller
    rateLimits.countRequest(operation, caller, request.ip)
    const subject = await findSubject(operation, deps, caller, request)
    const form = await takeForm(request)
    try {
      const given = givenParameters(request, operation.path)
      const paging = operation.paginated ? readPaging(given, operation) : FIRST_PAGE
      const params = readParameters(given)
      if (needsConfirmation(operation, params)) refuseUnconfirmed(caller)
      const call = { params, caller, paging, request, reply, ...subject }
      await refuseModified(operation, call)
      const result = await runAudited(operation, deps, call)
      const response = await renderResult(result, request, { status, paging, externalUrl, serialize })
      const repeatableUntil = result instanceof ApiResponse ? result.repeatableUntil : undefined
      return { response, caller, isCacheable: isCacheable(operation, params), repeatableUntil }
    } finally {
      await form?.discard()
    }
  }
}

function isCacheable({ cacheable }: Operation, params: Record<string, unknown>): boolean {
  return typeof cacheable === 'function' ? cacheable(params as never) : cacheable === true
}

function needsConfirmation(
  { needsConfirmation: needs }: Operation,
  params: Record<string, unknown>,
): boolean {
  return typeof needs === 'function' ? needs(params as never) : needs === true
}

async function refuseModified({ modifiedAt }: Operation, call: AnyCall): Promise<void> {
  const { headers } = call.request
  if (!modifiedAt || headers['if-unmodified-since'] === undefined) return
  checkUnmodified(headers, await modifiedAt(call as never))
}

type AnyCall = BaseCall<Record<string, unknown>> & Subject

/**
 * Records changes made by users, and by jobs in other projects. Pipelines record the other actions of jobs
 * and runners.
 */
function runAudited(operation: Operation, deps: OperationDeps, call: AnyCall): Promise<unknown> {
  const run = () =>
    mayLoseSubject(operation, call)
      ? unlessGone(deps, operation, call, () => operation.run(call as never))
      : operation.run(call as never)
  const { params, request } = call
  if (!isAudited(operation)) return run()
  const by = authorOf(call.caller, 'project' in call ? call.project : undefined)
  if (!by) return run()
  const from = { address: request.ip, requestId: request.id, agent: agentOf(call.caller, request) }
  const about = {
    ...('project' in call && { project: call.project }),
    ...('group' in call && { group: call.group }),
  }
  const inPath = request.params as Record<string, unknown>
  return audited(
    operation,
    deps.auditTrail,
    { ...about, ...by, ...from, params, inPath },
    { before: () => recordBefore(operation, call), run },
  )
}

/**
 * Maps a failure caused by the concurrent deletion of the project or group (missing repository, foreign key
 * violation) to 404, which is the response a moment later.
 */
async function unlessGone(
  deps: Pick<OperationDeps, 'findProject' | 'groups'>,
  operation: Operation,
  call: AnyCall,
  run: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    const gone = error instanceof ApiError ? undefined : await deletedSubject(deps, operation, call)
    if (gone === undefined) throw error
    call.request.log.info({ err: error }, 'The object of the request was deleted in the meantime')
    throw notFound(gone)
  }
}

async function deletedSubject(
  { findProject, groups }: Pick<OperationDeps, 'findProject' | 'groups'>,
  { path }: Operation,
  call: AnyCall,
): Promise<'Project' | 'Group' | undefined> {
  if ('project' in call) return (await findProject(String(call.project.id))) ? undefined : 'Project'
  if ('group' in call) return (await groups.find(String(call.group.id))) ? undefined : 'Group'
  if (!isBelowProject(path)) return undefined
  return (await findProject(idInPath(call.request))) ? undefined : 'Project'
}

/** Whether `deletedSubject` may find that the subject was deleted. */
function mayLoseSubject({ path }: Operation, call: AnyCall): boolean {
  return 'project' in call || 'group' in call || isBelowProject(path)
}

/** Operations with another kind of access find the project themselves. */
function isBelowProject(path: string): boolean {
  return path.startsWith('/projects/:id/')
}

async function recordBefore({ changes }: Operation, call: AnyCall): Promise<unknown> {
  if (!changes) return undefined
  if (changes.before) return changes.before(call as never)
  if ('project' in call) return call.project
  return 'group' in call ? call.group : undefined
}

/** The credentials that an operation accepts. */
export function callerRules(operation: Operation): CallerRules {
  const { method, access, jobToken, scopes } = operation
  return {
    method,
    jobToken: jobToken ?? false,
    open: access === 'anyone',
    scopes: scopes ?? [],
    session: isOfRunners(operation) ? 'no' : 'yes',
  }
}

type Subject =
  | { user: User | undefined }
  | { user: User | undefined; project: Project; accessLevel: number; membership: number }
  | { user: User | undefined; group: Group; accessLevel: number }

async function findSubject(
  operation: Operation,
  deps: OperationDeps,
  caller: Caller,
  request: FastifyRequest,
): Promise<Subject> {
  const user = viewerOf(caller)
  const { access } = operation
  if (isProjectPermission(access)) return projectSubject(access)
  if (isGroupPermission(access)) return groupSubject(access)
  const denied = refusalOfCaller(access, caller)
  if (denied) throw accessError(denied)
  return { user }

  async function projectSubject(permission: ProjectPermission): Promise<Subject> {
    const found = await deps.findProject(idInPath(request))
    const named = found ?? (await deps.moved.project(idInPath(request)))?.project
    // A project that the credential does not reach is like one that its user does not see.
    const project = named && isWithinLimit(caller, named) ? named : undefined
    const projectAccess = project ? await accessIn(deps, user, project) : NO_ACCESS
    const denied = refusalInProject(permission, project, { caller, operation, ...projectAccess })
    if (denied) throw accessError(denied)
    if (!project) throw notFound('Project')
    const foreign = await visitOfForeignJob(
      deps.allowsJobTokensOf,
      { caller, project },
      permission,
      operation,
    )
    if (foreign && 'denied' in foreign) throw accessError(foreign.denied)
    if (!found) throw redirectTo(deps.externalUrl, request, 'projects', project.id)
    return { project, ...(foreign?.visit ?? { user, ...projectAccess }) }
  }

  async function groupSubject(permission: GroupPermission): Promise<Subject> {
    const found = await deps.groups.find(idInPath(request))
    const group = found ?? (await deps.moved.namespace(idInPath(request)))
    const accessLevel = group ? await levelInGroup(deps.groups, user, group) : 0
    const denied = refusalInGroup(permission, group, { caller, operation, accessLevel })
    if (denied) throw accessError(denied)
    if (!group) throw notFound('Group')
    if (!found) throw redirectTo(deps.externalUrl, request, 'groups', group.id)
    return { user, group, accessLevel }
  }
}

function idInPath(request: FastifyRequest): string {
  return (request.params as { id: string }).id
}

/** The caller's effective level in a project (API, A15). */
export async function levelOf(
  deps: Pick<OperationDeps, 'projectAccessOf'>,
  user: User | undefined,
  project: Project,
): Promise<number> {
  return (await accessIn(deps, user, project)).accessLevel
}

/** Like `levelOf`, for access to code: at most guest if the caller may not read code. */
export async function codeLevelOf(
  deps: Pick<OperationDeps, 'projectAccessOf'>,
  user: User | undefined,
  project: Project,
): Promise<number> {
  return levelForCode({ project, ...(await accessIn(deps, user, project)) })
}

/** The caller's effective access level in a project, and the level from membership alone. */
export async function accessIn(
  deps: Pick<OperationDeps, 'projectAccessOf'>,
  user: User | undefined,
  project: Project,
): Promise<{ accessLevel: number; membership: number }> {
  const projectAccess = user && !user.is_admin ? await deps.projectAccessOf(user, project) : NO_MEMBERSHIP
  return {
    accessLevel: effectiveLevel(user, project, projectAccess),
    membership: membershipLevel(user, projectAccess),
  }
}

/** The caller's effective level in a group (API, A15). */
export async function levelInGroup(
  groups: GroupDirectory,
  user: User | undefined,
  group: Group,
): Promise<number> {
  const membership = user && !user.is_admin ? await groups.membershipOf(user, group) : 0
  return effectiveGroupLevel(user, group, membership)
}

const NO_MEMBERSHIP: ProjectAccess = { membership: 0, ownsNamespace: false }
const NO_ACCESS = { accessLevel: 0, membership: 0 }
