import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { addressOf, encodePath } from '../../../../../addresses/address-of.js'
import { requestAddress } from '../../../../../lib/request-address.js'
import type { SecretBox } from '../../../../crypto/secret-box.js'
import { clientGone } from '../../../../http/client-gone.js'
import { markup, sendPage } from '../../../../http/html-page.js'
import { sendStream } from '../../../../http/send.js'
import type { Artifact } from '../../../storage/artifacts/artifacts.js'
import { NOT_IN_SANDBOX, SANDBOX_HEADERS } from './sandbox-headers.js'
import { openView, VIEW_PREFIX } from './view-address.js'
import { readView, type ViewReaderDeps, type ViewReading } from './view-reader.js'
import { findWebFile, sendWebFile } from './web-file.js'

export interface ViewRoutesDeps extends ViewReaderDeps {
  secrets: SecretBox
  /** Public address of the pages, without a trailing slash. */
  externalUrl: string
}

/**
 * Serves the files of a job in place, at the addresses that `signView` makes. Neither cookies nor other credentials are
 * read, and what is served has no origin with a session.
 */
export function viewRoutes(deps: ViewRoutesDeps): (app: FastifyInstance) => void {
  return (app) => {
    for (const url of [`${VIEW_PREFIX}:token`, `${VIEW_PREFIX}:token/*`]) {
      app.route({
        method: ['HEAD', 'GET'],
        url,
        handler: (request, reply) => serveView(deps, request, reply),
      })
    }
  }
}

async function serveView(
  deps: ViewRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = parseViewAddress(request.raw.url ?? '/')
  const view = asked && openView(deps.secrets, asked.token)
  if (!view) return sendMissing(reply)
  // A sandboxed page cannot have one, so no file is needed as one.
  if (request.headers['service-worker'] !== undefined) return sendRefused(reply)
  const reading = await readView(deps, view)
  if (reading.kind !== 'readable') return sendReason(deps, reply, reading, asked.path)
  if (asked.path === undefined) return reply.redirect(`${VIEW_PREFIX}${asked.token}/`, 302)
  return serveFile(deps, reading.archive, { token: asked.token, path: asked.path }, request, reply)
}

interface AskedFile {
  token: string
  /** Below the root of the archive, decoded. */
  path: string
}

/** Undefined for an address that cannot be decoded. The path is absent without a slash after the token. */
function parseViewAddress(address: string): { token: string; path?: string } | undefined {
  const { pathname } = requestAddress(address)
  const [, token = '', path] = /^\/-\/artifacts\/([^/]+)(?:\/(.*))?$/.exec(pathname) ?? []
  try {
    return path === undefined ? { token } : { token, path: decodeURIComponent(path) }
  } catch {
    return undefined
  }
}

async function serveFile(
  { artifacts }: ViewRoutesDeps,
  archive: Artifact,
  { token, path }: AskedFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = await findWebFile(artifacts, archive, path, clientGone(reply))
  if (file.kind === 'folder') return reply.redirect(`${VIEW_PREFIX}${token}/${encodePath(path)}/`, 302)
  if (file.kind === 'missing') return sendMissing(reply)
  const found = await sendWebFile(artifacts, archive, file.path, { request, reply, headers: SANDBOX_HEADERS })
  if (!found) return sendMissing(reply)
  return sendStream(found, reply.removeHeader(NOT_IN_SANDBOX).removeHeader('vary'))
}

function sendReason(
  { externalUrl }: ViewRoutesDeps,
  reply: FastifyReply,
  reading: Exclude<ViewReading, { kind: 'readable' }>,
  path = '',
): FastifyReply {
  switch (reading.kind) {
    case 'gone':
      return sendPage(reply, 410, {
        title: 'These artifacts are gone',
        body: markup`<p>They were deleted or have expired. Run the job again to get new ones.</p>`,
      })
    case 'forbidden':
      return sendPage(reply, 403, {
        title: 'These artifacts are not for you',
        body: markup`<p>You may no longer read them. Ask a maintainer of the project for access.</p>`,
      })
    case 'expired': {
      const { project, job } = reading
      const page = addressOf('jobs/job', { project: project.full_path, id: String(job.id) })
      const again = `${externalUrl}${page}/artifacts/open/${encodePath(path)}`
      return sendPage(reply, 410, {
        title: 'This address is no longer valid',
        body: markup`<p>Addresses of artifacts are valid for one hour.</p>
<p class="buttons"><a class="main" href="${again}">Open the page again</a></p>`,
      })
    }
  }
}

function sendMissing(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, {
    title: 'There is no such page',
    body: markup`<p>The artifacts have no file at this address, or the address is incomplete.</p>`,
  })
}

function sendRefused(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 403, {
    title: 'Artifacts cannot be service workers',
    body: markup`<p>Pages of artifacts run without service workers.</p>`,
  })
}
