import type { FastifyReply, FastifyRequest } from 'fastify'

import { requestAddress } from '../../../lib/request-address.js'
import type { Caller, Project } from '../../access/caller.js'
import type { RedirectFinder } from './redirects.js'

export interface RedirectPageDeps {
  moved: RedirectFinder
  readCaller: (request: FastifyRequest) => Promise<Caller>
  /** Whether the caller may see the project. */
  maySee: (caller: Caller, project: Project) => Promise<boolean>
}

/** Maximum number of names in a path. */
const DEEPEST = 30

/**
 * Returns a handler for project pages under former paths. It redirects to the current path and resolves to
 * true, or resolves to false if there is no redirect. Callers who may not see the project get no redirect.
 */
export function redirectPageServer(
  deps: RedirectPageDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  return async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const { pathname, search } = requestAddress(request.raw.url ?? '/')
    const paths = pathsIn(pathname)
    const found = paths.length > 0 ? await deps.moved.project(...paths) : undefined
    if (!found || !(await deps.maySee(await deps.readCaller(request), found.project))) return false
    const rest = pathname.slice(1 + found.from.length)
    await reply.redirect(`/${found.project.full_path}${rest}${search}`, 301)
    return true
  }
}

/**
 * Prefixes that could be the full path of a project: at least two names, up to the first name that only
 * project pages use.
 */
function pathsIn(pathname: string): string[] {
  const names = pathname.slice(1).split('/', DEEPEST)
  const end = names.findIndex((name) => name === '-' || name === 'uploads' || name === '')
  const inPath = end === -1 ? names : names.slice(0, end)
  return inPath.slice(1).map((_, index) => inPath.slice(0, index + 2).join('/'))
}
