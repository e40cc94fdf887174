import type { FastifyReply, FastifyRequest } from 'fastify'

import { may, type ProjectAccess } from '../access/access.js'
import type { Project, User } from '../access/caller.js'
import type { ProjectPermission } from '../access/permissions.js'
import type { Authenticator } from './authentication/authenticator.js'
import { createCallerReader } from './authentication/caller.js'
import { accessIn } from './handle-operation.js'
import type { RateLimits } from './rate-limits/rate-limits.js'
import { viewerOf } from './viewer.js'

export interface ProjectAddressDeps {
  authenticator: Authenticator
  rateLimits: RateLimits
  /** Public address without a trailing slash. */
  externalUrl: string
  findProject: (idOrPath: string) => Promise<Project | undefined>
  projectAccessOf: (user: User, project: Project) => Promise<ProjectAccess>
}

/** An address of something in a project. */
export interface ProjectAddress {
  /** Full path of the project. */
  project: string
  /** The parameters, if the address has been parsed with them. */
  query?: URLSearchParams
}

interface AddressRules<Address extends ProjectAddress> {
  /** Parses a path below the root, with its query; undefined for the address of something else. */
  parse: (address: string) => Address | undefined
  /** Of tokens; sessions of browsers are accepted too. */
  scopes: readonly string[]
  permission: ProjectPermission
  /** Resolves to false, without a response, if there is no such thing in the project. */
  respond: (
    found: { address: Address; project: Project; user: User | undefined; accessLevel: number },
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<boolean>
}

/**
 * Returns a handler for addresses outside the API that show something of a project. It resolves to true after responding,
 * and to false if there is no such thing or the caller may not see it.
 */
export function projectAddressServer<Address extends ProjectAddress>(
  deps: ProjectAddressDeps,
  { parse, scopes, permission, respond }: AddressRules<Address>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  const readCaller = createCallerReader(deps, {
    method: 'GET',
    jobToken: false,
    open: true,
    session: 'page',
    scopes,
  })
  return async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const address = isRead ? parse(request.raw.url ?? '/') : undefined
    if (!address) return false
    const parameters = address.query ? Object.fromEntries(address.query) : request.query
    const caller = await readCaller(request, parameters as Record<string, unknown>)
    const project = await deps.findProject(address.project)
    if (!project) return false
    const user = viewerOf(caller)
    const access = await accessIn(deps, user, project)
    if (!may(permission, { project, ...access })) return false
    return respond({ address, project, user, accessLevel: access.accessLevel }, request, reply)
  }
}
