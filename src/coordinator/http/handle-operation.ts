import type { FastifyReply, FastifyRequest } from 'fastify'

import { effectiveLevel, isProjectAccess, refusalOfCaller, refusalOfLevel, type Standing } from './access.js'
import type { Authenticator } from './authentication/authenticator.js'
import { type CallerRules, createCallerReader } from './authentication/caller.js'
import { serializerOf } from './check-answers.js'
import { notFound } from './errors.js'
import type { Caller, Operation, Project, ProjectAccess, User } from './operation.js'
import { FIRST_PAGE, readPaging } from './paging.js'
import { compileParameters } from './parameters/compile-parameters.js'
import { givenParameters } from './parameters/parameter-source.js'
import type { UploadSpool } from './parameters/upload-spool.js'
import { filesOf } from './parameters/with-files.js'
import { sendResult } from './send.js'

/** What the machinery of operations needs from the parts that know users and projects. */
export interface OperationDeps {
  authenticator: Authenticator
  /** Takes the id or the full path of a project. */
  findProject: (idOrPath: string) => Promise<Project | undefined>
  standingOf: (user: User, project: Project) => Promise<Standing>
  /** The address that clients know, without a trailing slash. */
  externalUrl: string
  /** Holds files while the operation they came with runs. */
  spool: UploadSpool
  /** Refuses, with a 500, to send what an operation did not declare; meant for tests. */
  checkAnswers?: boolean
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The Fastify handler of an operation: everything that can be prepared is prepared here, once. */
export function handlerOf(operation: Operation, deps: OperationDeps): Handler {
  const readCaller = createCallerReader(deps.authenticator, callerRules(operation))
  const readParameters = compileParameters(operation.params, operation)
  const withFiles = filesOf(operation.params, deps.spool)
  const status = Number(Object.keys(operation.answers)[0] ?? 200)
  const serialize = serializerOf(operation, deps.checkAnswers ?? false)
  const { externalUrl } = deps

  return async (request, reply) => {
    const credentials = givenParameters(request, operation.path)
    const caller = await readCaller(request.headers, credentials)
    const subject = await findSubject(operation, deps, caller, request)
    const { result, paging } = await withFiles(request, async () => {
      const given = givenParameters(request, operation.path)
      const paging = operation.paginated ? readPaging(given) : FIRST_PAGE
      const params = readParameters(given)
      const call = { params, caller, paging, request, reply, ...subject }
      return { result: await operation.run(call as never), paging }
    })
    return sendResult(result, request, reply, { status, paging, externalUrl, serialize })
  }
}

function callerRules({ method, access, jobToken, scopes }: Operation): CallerRules {
  return { method, jobToken: jobToken ?? false, open: access === 'anyone', scopes: scopes ?? [] }
}

type Subject = { user: User | undefined } | { user: User | undefined; project: Project; accessLevel: number }

async function findSubject(
  { access, method }: Operation,
  deps: OperationDeps,
  caller: Caller,
  request: FastifyRequest,
): Promise<Subject> {
  const user = caller.kind === 'anonymous' ? undefined : caller.user
  if (isProjectAccess(access)) return findProject(access)
  const refusal = refusalOfCaller(access, caller)
  if (refusal) throw refusal
  return { user }

  async function findProject(least: ProjectAccess): Promise<Subject> {
    const project = await deps.findProject((request.params as { id: string }).id)
    const accessLevel = project ? await levelOf(deps, user, project) : 0
    const refusal = refusalOfLevel(least, method, caller, accessLevel)
    if (refusal) throw refusal
    if (!project) throw notFound('Project')
    return { user, project, accessLevel }
  }
}

/** The caller's effective level in a project (API gaps, A15). */
export async function levelOf(
  deps: Pick<OperationDeps, 'standingOf'>,
  user: User | undefined,
  project: Project,
): Promise<number> {
  const standing = user && !user.is_admin ? await deps.standingOf(user, project) : NO_STANDING
  return effectiveLevel(user, project, standing)
}

const NO_STANDING: Standing = { membership: 0, ownsNamespace: false }
