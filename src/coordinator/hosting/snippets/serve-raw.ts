import type { FastifyReply, FastifyRequest } from 'fastify'

import { requestAddress } from '../../../lib/request-address.js'

/** `/group/app/-/snippets/3/raw/main/a.sh`, or without project; without branch and file, the first file. */
const RAW = /^\/(?:(.+?)\/)?-\/snippets\/(\d{1,15})\/raw(?:\/([^/]+)\/(.+))?$/

/**
 * Returns a handler for the addresses `raw_url` of snippets. It redirects to the API, which checks who reads them, and
 * resolves to true, or to false for other addresses.
 */
export function snippetRawServer(
  externalUrl: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  const api = `${new URL(externalUrl).pathname.replace(/\/$/, '')}/api/v4`
  return async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const path = rawSnippetPath(requestAddress(request.raw.url ?? '/').pathname)
    if (path === undefined) return false
    await reply.redirect(api + path, 302)
    return true
  }
}

/** The path in the API of the content that an address names; undefined for other addresses. */
function rawSnippetPath(pathname: string): string | undefined {
  const [, project, id, ref, file] = RAW.exec(pathname) ?? []
  if (id === undefined) return undefined
  const snippet = `${project === undefined ? '' : `/projects/${project.replaceAll('/', '%2F')}`}/snippets/${id}`
  // Both parts are percent-encoded already.
  return ref === undefined || file === undefined
    ? `${snippet}/raw`
    : `${snippet}/files/${ref}/${file.replaceAll('/', '%2F')}/raw`
}
