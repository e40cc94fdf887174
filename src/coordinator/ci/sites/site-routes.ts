import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { encodePath } from '../../../addresses/address-of.js'
import type { Project, User } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { addressBefore, type ReadSession } from '../../http/authentication/read-session.js'
import { markup, sendPage } from '../../http/html-page.js'
import { sendStream } from '../../http/send.js'
import { findPublishedSites } from '../engine/sites/site-store.js'
import { NOT_IN_SANDBOX, SANDBOX_HEADERS } from '../jobs/artifacts/in-place/sandbox-headers.js'
import {
  namedSite,
  namespaceAt,
  rootProject,
  SITE_PREFIX,
  type SiteOrigins,
  siteUrl,
} from '../site-addresses/site-origins.js'
import type { Artifacts } from '../storage/artifacts/artifacts.js'
import { readSite } from './site-file.js'
import { openTicket, parseSiteAddress, signSite } from './site-tickets.js'

export interface SiteRoutesDeps {
  database: Database
  artifacts: Artifacts
  secrets: SecretBox
  /** Public address of the pages of the coordinator, without a trailing slash. */
  externalUrl: string
  origins: SiteOrigins
  findProject: (idOrPath: string) => Promise<Project | undefined>
  findUser: (idOrName: string) => Promise<User | undefined>
  /** Whether a user, or everybody, may read the site of a project. */
  mayRead: (user: User | undefined, project: Project) => Promise<boolean>
  readSession: ReadSession
  /** Whether a request came to the host of an origin. */
  isAt: (request: FastifyRequest, origin: string) => boolean
}

/*
 * A site runs in a sandbox, whose requests have no cookies. So a public site is served at its address, and a private one
 * to each reader below a token:
 *
 *   /-/pages/<project>/…  ── public ──▶ the file
 *                         ── private, with a session at the coordinator ──▶ /-/pages/~<token>/…  ──▶ the file
 *
 * With `pages.domain`, a public site is at the host of its namespace, an origin that nothing else has, without a sandbox. A
 * request to that host gets here by the name of the site (`targetByName`).
 */

/** Serves the sites that jobs have published. */
export function siteRoutes(deps: SiteRoutesDeps): (app: FastifyInstance) => void {
  return (app) => {
    app.route({
      method: ['HEAD', 'GET'],
      url: `${SITE_PREFIX}*`,
      handler: async (request, reply) => {
        const asked = parseSiteAddress(request.raw.url ?? '/')
        if (!asked) return sendMissing(reply)
        if (request.headers['service-worker'] !== undefined) return sendMissing(reply)
        const [first = '', ...rest] = asked.segments
        return first.startsWith('~')
          ? servePrivate(deps, { signed: first, rest }, request, reply)
          : serveNamed(deps, asked, request, reply)
      },
    })
  }
}

async function servePrivate(
  deps: SiteRoutesDeps,
  { signed, rest }: { signed: string; rest: string[] },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const ticket = openTicket(deps.secrets, signed)
  if (!ticket || !deps.isAt(request, deps.origins.artifactsUrl)) return sendMissing(reply)
  const user = await deps.findUser(String(ticket.user))
  const project = await deps.findProject(String(ticket.project))
  if (user?.state !== 'active' || !project || !(await deps.mayRead(user, project))) return sendMissing(reply)
  if (ticket.until <= Date.now()) {
    const again = namedSite(deps.externalUrl, project.full_path) + encodePath(rest.join('/'))
    return sendPage(reply, 410, {
      title: 'This address is no longer valid',
      body: markup`<p>Addresses of private sites are valid for one hour.</p>
<p class="buttons"><a class="main" href="${again}">Open the page again</a></p>`,
    })
  }
  const base = `${SITE_PREFIX}${signed}/`
  return serveFile(deps, project, { base, rest, headers: SANDBOX_HEADERS }, request, reply)
}

/** Of a site that has an origin for itself and its namespace. It is public, so other pages may read it. */
const HOSTED_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'private, no-cache',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
}

async function serveNamed(
  deps: SiteRoutesDeps,
  { segments, search }: { segments: string[]; search: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { origins, externalUrl } = deps
  const host = namespaceOf(deps, request)
  // Dots in a path lead to no other namespace.
  if (host !== undefined && segments[0]?.toLowerCase() !== host) return sendMissing(reply)
  const named = (await projectIn(deps, segments)) ?? (await projectAtRoot(deps, segments))
  if (named && (await deps.mayRead(undefined, named.project))) {
    const site = siteUrl(origins, named.project.full_path)
    if (!deps.isAt(request, new URL(site).origin)) {
      return reply.redirect(site + encodePath(named.rest.join('/')) + search, 302)
    }
    const base = new URL(site).pathname
    const headers = host === undefined ? SANDBOX_HEADERS : HOSTED_HEADERS
    return named.rest.length === 0
      ? reply.redirect(base, 302)
      : serveFile(deps, named.project, { base, rest: named.rest, headers }, request, reply)
  }
  const path = SITE_PREFIX + encodePath(segments.join('/')) + search
  // The cookie of the session is at the coordinator alone. What does not exist is treated like what is private.
  if (host !== undefined || !isAtCoordinator(deps, request)) return reply.redirect(externalUrl + path, 302)
  const session = await deps.readSession(request)
  const before = session && addressBefore(path, session)
  if (before !== undefined) return reply.redirect(before, 302)
  if (!session) return reply.redirect(`/users/sign_in?return_to=${encodeURIComponent(path)}`, 302)
  if (!named || !(await deps.mayRead(session.user, named.project))) return sendMissing(reply)
  const signed = signSite(deps.secrets, { projectId: named.project.id, userId: session.user.id })
  const address = `${origins.artifactsUrl}${SITE_PREFIX}${signed}/${encodePath(named.rest.join('/'))}`
  return reply.header('cache-control', 'no-store').redirect(address, 302)
}

function namespaceOf({ origins }: SiteRoutesDeps, { host }: FastifyRequest): string | undefined {
  return origins.pagesUrl === undefined ? undefined : namespaceAt(origins.pagesUrl, host)
}

/** Without a host of their own, sites are at the coordinator. */
function isAtCoordinator(
  { externalUrl, origins: { artifactsUrl }, isAt }: SiteRoutesDeps,
  request: FastifyRequest,
): boolean {
  return externalUrl === artifactsUrl || !isAt(request, artifactsUrl)
}

/** Groups with subgroups that a path may begin with. */
const MAX_DEPTH = 21

/** A project contains no other, so at most one beginning of a path is one. */
async function projectIn(
  { findProject }: SiteRoutesDeps,
  segments: readonly string[],
): Promise<{ project: Project; rest: string[] } | undefined> {
  for (let length = 2; length <= Math.min(segments.length, MAX_DEPTH); length++) {
    const project = await findProject(segments.slice(0, length).join('/'))
    if (project) return { project, rest: segments.slice(length) }
  }
  return undefined
}

/** The project whose site is at the root of a namespace, if it has one. */
async function projectAtRoot(
  { origins: { pagesUrl }, findProject }: SiteRoutesDeps,
  [namespace = '', ...rest]: readonly string[],
): Promise<{ project: Project; rest: string[] } | undefined> {
  if (pagesUrl === undefined) return undefined
  const project = await findProject(`${namespace}/${rootProject(pagesUrl, namespace)}`)
  return project && { project, rest }
}

interface FileRequest {
  /** Path of the address of the site. */
  base: string
  /** Segments below it. */
  rest: string[]
  headers: Readonly<Record<string, string>>
}

async function serveFile(
  { database, artifacts }: SiteRoutesDeps,
  project: Project,
  { base, rest, headers }: FileRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sites = await findPublishedSites(database, project.id)
  const [first = ''] = rest
  const preview = first === '' ? undefined : sites.find(({ path_prefix: prefix }) => prefix === first)
  const site = preview ?? sites.find(({ path_prefix: prefix }) => prefix === '')
  if (!site) return sendMissing(reply)
  const below = preview ? rest.slice(1) : rest
  if (preview && below.length === 0) return reply.redirect(`${base}${first}/`, 302)
  const found = await readSite(artifacts, site, below.join('/'), { request, reply, headers })
  if (found.kind === 'folder') return reply.redirect(`${base}${encodePath(rest.join('/'))}/`, 302)
  if (found.kind === 'missing') return sendMissing(reply)
  // That of all responses lets nothing run. A site in a sandbox has its own.
  reply.removeHeader(NOT_IN_SANDBOX).removeHeader('content-security-policy').header('vary', 'Accept-Encoding')
  return sendStream(found.response, reply)
}

function sendMissing(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, {
    title: 'There is no such page',
    body: markup`<p>No site is published at this address, or it has no such page.</p>`,
  })
}
