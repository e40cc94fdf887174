import { randomBytes } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { firstReads } from '../../addresses/first-reads.js'
import { matchPage } from '../../addresses/match-page.js'
import type { PageMatch } from '../../addresses/page-table.js'
import { requestAddress } from '../../lib/request-address.js'
import type { Caller, Group, Project, User } from '../access/caller.js'
import type { Database } from '../database/connect.js'
import { findAppearanceValues } from '../database/stores/appearance-store.js'
import { addressBefore, type RequestSession } from '../http/authentication/read-session.js'
import { sessionCookieOf } from '../http/authentication/session-cookie.js'
import { markup, sendPage } from '../http/html-page.js'
import { userAvatarUrl } from '../http/presenters/avatar-url.js'
import { imageAddress } from '../instance/appearance/images.js'
import { listBroadcasts } from './list-broadcasts.js'
import { presentAddresses } from './old-address.js'
import type { WebBuild } from './page-files.js'
import { pageHeaders } from './page-policy.js'
import type { Boot } from './schema.js'
import { shellOf } from './shell.js'

export interface PageServerDeps {
  database: Database
  /** Undefined if the pages were not built. */
  build: WebBuild | undefined
  externalUrl: string
  servesSsh: boolean
  readSession: (request: FastifyRequest) => Promise<RequestSession | undefined>
  readCaller: (request: FastifyRequest) => Promise<Caller>
  findProject: (path: string) => Promise<Project | undefined>
  findGroup: (path: string) => Promise<Group | undefined>
  findUser: (name: string) => Promise<User | undefined>
  maySee: (caller: Caller, project: Project) => Promise<boolean>
  maySeeGroup: (caller: Caller, group: Group) => Promise<boolean>
}

/**
 * Returns a handler for the addresses of pages. It serves requests of browsers, which accept HTML, and resolves to false
 * for others.
 *
 * Users get a 404 for a page about something that they may not see, with the text for a page that does not exist. A
 * browser without a session goes to the sign-in page instead, also where nothing exists. Users who have to accept the
 * terms of service, or to set up a second factor, go to the page for that.
 */
export function pageHandler(
  deps: PageServerDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  const cookie = sessionCookieOf(deps.externalUrl)
  return async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    if (!request.headers.accept?.includes('text/html')) return false
    const { pathname, search } = requestAddress(request.raw.url ?? '/')
    if (/^\/(?:api|assets|uploads)(?:\/|$)/.test(pathname)) return false
    if (!deps.build) return sendUnbuilt(reply)

    const session = await deps.readSession(request)
    const before = session && addressBefore(pathname + search, session)
    if (before !== undefined) {
      await reply.redirect(before, 302)
      return true
    }
    const caller = await deps.readCaller(request)
    const moved = await presentAddress(deps, caller, pathname)
    if (moved !== undefined) {
      await reply.redirect(moved + search, 301)
      return true
    }
    const match = matchPage(pathname)
    const page = match && deps.build.filesOf(match.name) ? match : undefined
    const found = page ? await whatIsFound(deps, caller, page) : null
    // With the cookie of a session that has ended, the API would refuse to the page what everybody may read.
    if (!session && cookie.read(request.headers) !== undefined) reply.header('set-cookie', cookie.clear())
    if (found === null && !session) {
      await reply.redirect(`/users/sign_in?return_to=${encodeURIComponent(pathname + search)}`, 302)
      return true
    }
    await send(deps, request, reply, { page, found, search, session, build: deps.build })
    return true
  }
}

/** The address with `/-/`, for one without it, of a project that the caller sees. */
async function presentAddress(
  { findProject, maySee }: PageServerDeps,
  caller: Caller,
  pathname: string,
): Promise<string | undefined> {
  for (const { project: path, address } of presentAddresses(pathname)) {
    const project = await findProject(path)
    if (project && (await maySee(caller, project))) return address
  }
  return undefined
}

/** Pages that anybody may open; what they show depends on the session. */
const OPEN_PAGES = new Set([
  ...['home', 'projects/explore', 'projects/explore-groups', 'projects/topics', 'projects/topic'],
  'snippets/own-snippet',
])

async function whatIsFound(
  deps: PageServerDeps,
  caller: Caller,
  { name, params }: PageMatch,
): Promise<Boot['found']> {
  const user = caller.kind === 'user' ? caller.user : undefined
  if (params['project'] !== undefined)
    return (await seesProject(deps, caller, params['project'])) ? 'project' : null
  if (params['group'] !== undefined) return (await seesGroup(deps, caller, params['group'])) ? 'group' : null
  if (name === 'overview') {
    const path = params['path'] ?? ''
    if (path.includes('/') && (await seesProject(deps, caller, path))) return 'project'
    if (await seesGroup(deps, caller, path)) return 'group'
    return !path.includes('/') && user && (await deps.findUser(path)) ? 'user' : null
  }
  if (name.startsWith('admin/')) return user?.is_admin ? 'page' : null
  return user || OPEN_PAGES.has(name) ? 'page' : null
}

async function seesProject(deps: PageServerDeps, caller: Caller, path: string): Promise<boolean> {
  const project = await deps.findProject(path)
  return project !== undefined && deps.maySee(caller, project)
}

async function seesGroup(deps: PageServerDeps, caller: Caller, path: string): Promise<boolean> {
  const group = await deps.findGroup(path)
  return group !== undefined && deps.maySeeGroup(caller, group)
}

interface RenderedPage {
  page: PageMatch | undefined
  found: Boot['found']
  /** The query of the address. */
  search: string
  session: RequestSession | undefined
  build: WebBuild
}

async function send(
  { database, externalUrl, servesSsh }: PageServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { page, found, search, session, build }: RenderedPage,
): Promise<void> {
  const isFound = page !== undefined && found !== null
  const nonce = randomBytes(16).toString('base64')
  const [appearance, broadcasts] = await Promise.all([
    findAppearanceValues(database, ...SHOWN),
    listBroadcasts(database),
  ])
  const html = shellOf({
    title: 'Switchyard',
    files: (isFound && build.filesOf(page.name, found)) || build.frame,
    boot: {
      time: Date.now(),
      user: session ? bootUser(session.user, externalUrl) : null,
      csrf_token: session?.csrfToken ?? null,
      style_nonce: nonce,
      build: build.id,
      found: isFound ? found : null,
      external_url: externalUrl,
      serves_ssh: servesSsh,
      header_logo: imageAddress('header_logo', appearance.header_logo),
      broadcasts,
    },
    reads: isFound ? firstReads(page, found, search) : [],
    theme: themeOf(request.headers.cookie),
    messages: {
      header: appearance.header_message,
      footer: appearance.footer_message,
      background: appearance.message_background_color,
      color: appearance.message_font_color,
    },
    favicon: imageAddress('favicon', appearance.favicon),
  })
  await reply
    .code(isFound ? 200 : 404)
    .headers(pageHeaders(nonce, externalUrl.startsWith('https:')))
    .send(request.method === 'HEAD' ? '' : html)
}

/** What pages show of the appearance of the instance. */
const SHOWN = [
  'header_logo',
  'favicon',
  'header_message',
  'footer_message',
  'message_background_color',
  'message_font_color',
] as const

function bootUser(user: User, externalUrl: string): Boot['user'] {
  const { id, username, name, is_admin: isAdmin } = user
  return { id, username, name, avatar_url: userAvatarUrl(user, externalUrl), is_admin: isAdmin }
}

function themeOf(cookie: string | undefined): 'light' | 'dark' | undefined {
  return /(?:^|;\s*)switchyard_theme=(light|dark)(?:;|$)/.exec(cookie ?? '')?.[1] as
    | 'light'
    | 'dark'
    | undefined
}

/** A checkout whose pages were never built still serves git and the API. */
function sendUnbuilt(reply: FastifyReply): true {
  void sendPage(reply, 503, {
    title: 'The pages are not built',
    body: markup`<p>Run <code>npm run build</code> in the folder of this coordinator and start it again. The API and git
      work without the pages.</p>`,
  })
  return true
}
