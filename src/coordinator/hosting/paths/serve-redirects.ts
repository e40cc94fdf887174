import type { FastifyReply, FastifyRequest } from 'fastify'

import { requestAddress } from '../../../lib/request-address.js'
import type { Caller, Project } from '../../access/caller.js'
import type { RedirectFinder } from './redirects.js'

export interface RedirectPageDeps {
  moved: RedirectFinder
  readCaller: (request: FastifyRequest) => Promise<Caller>
  /** Whether the caller may see the project at all. */
  maySee: (caller: Caller, project: Project) => Promise<boolean>
}

/** More names than this are in no path. */
const DEEPEST = 30

/**
 * Leads whoever asks for a page of a project by a path that it has left to where it lies now, and says whether that was
 * so. Where it lies is told to those who may see it.
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

/** What could be the full path of a project: at least two names, with none of the pages of a project among them. */
function pathsIn(pathname: string): string[] {
  const names = pathname.slice(1).split('/', DEEPEST)
  const end = names.findIndex((name) => name === '-' || name === 'uploads' || name === '')
  const inPath = end === -1 ? names : names.slice(0, end)
  return inPath.slice(1).map((_, index) => inPath.slice(0, index + 2).join('/'))
}
