import type { FastifyReply, FastifyRequest } from 'fastify'

import { clientGone } from '../../http/client-gone.js'
import { StreamResponse } from '../../http/operation.js'
import type { SiteDeployment } from '../engine/sites/site-store.js'
import { findWebFile, sendWebFile } from '../jobs/artifacts/in-place/web-file.js'
import type { Artifacts } from '../storage/artifacts/artifacts.js'

/** What the address of a file of a site leads to. */
export type SiteFile =
  | { kind: 'found'; response: StreamResponse }
  /** A folder, whose address must end with a slash. */
  | { kind: 'folder' }
  | { kind: 'missing' }

/** Packed forms of a file beside it, the best one first. */
const PACKED = [
  { coding: 'br', extension: '.br' },
  { coding: 'gzip', extension: '.gz' },
]

const NOT_FOUND_PAGE = '404.html'

interface SiteRequest {
  request: FastifyRequest
  reply: FastifyReply
  /** Of every file of the site. */
  headers: Readonly<Record<string, string>>
}

/** @param path decoded, below the address of the site; a folder ends with a slash, or is empty */
export async function readSite(
  artifacts: Artifacts,
  site: SiteDeployment,
  path: string,
  asked: SiteRequest,
): Promise<SiteFile> {
  const root = site.root === '' ? '' : `${site.root}/`
  const found = await findWebFile(artifacts, site, root + path, clientGone(asked.reply))
  if (found.kind === 'folder') return found
  if (found.kind === 'file') {
    const response = await sendPacked(artifacts, site, found.path, asked)
    if (response) return { kind: 'found', response }
  }
  const page = await sendOwn404(artifacts, site, root + NOT_FOUND_PAGE, asked)
  return page ? { kind: 'found', response: page } : { kind: 'missing' }
}

async function sendPacked(
  artifacts: Artifacts,
  site: SiteDeployment,
  path: string,
  { request, reply, headers }: SiteRequest,
): Promise<StreamResponse | undefined> {
  const accepted = acceptedCodings(request.headers['accept-encoding'])
  for (const { coding, extension } of PACKED) {
    if (!accepted.has(coding) || !(await artifacts.hasEntry(site, path + extension))) continue
    return sendWebFile(artifacts, site, path, {
      request,
      reply,
      headers: { ...headers, 'content-encoding': coding },
      packed: path + extension,
    })
  }
  return sendWebFile(artifacts, site, path, { request, reply, headers })
}

/** Codings with a weight above 0. */
function acceptedCodings(header: string | string[] | undefined): Set<string> {
  const parts = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((each) => each.trim()))
  return new Set(
    parts.filter(([, weight = 'q=1']) => Number(weight.replace(/^q=/, '')) > 0).map(([name = '']) => name),
  )
}

/** The page that a site has for addresses without a file. */
async function sendOwn404(
  artifacts: Artifacts,
  site: SiteDeployment,
  path: string,
  { reply, headers }: SiteRequest,
): Promise<StreamResponse | undefined> {
  const found = await artifacts.openEntry(site, path, clientGone(reply))
  if (found.kind !== 'found') return undefined
  return new StreamResponse(found.entry.body, 'text/html; charset=utf-8', { ...headers }, 404)
}
