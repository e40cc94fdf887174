import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

import { request } from 'undici'

import { type GitServer, gitServerForFile, startGitServer } from '../repositories/git-server.js'

export interface LfsResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  json: () => Record<string, unknown>
}

export interface LfsScene extends GitServer {
  /** Sends a request to a path below `/ada/app.git/`. */
  lfs: (call: string, options?: LfsCall) => Promise<LfsResponse>
}

export interface LfsCall {
  /** Default: that of the owner; null for no credentials. */
  token?: string | null
  /** Sent as JSON unless it is bytes. A stream is sent without a length. */
  body?: object | Buffer | Readable
  headers?: Record<string, string>
  project?: string
}

export const oidOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

export const objectOf = (content: string) => ({ oid: oidOf(content), size: Buffer.byteLength(content) })

/** A git server whose project uses Git LFS. */
export async function startLfs(...options: Parameters<typeof startGitServer>): Promise<LfsScene> {
  return withLfs(await startGitServer(...options))
}

/** As `gitServerForFile`, for a project that uses Git LFS. */
export function lfsForFile(): () => Promise<LfsScene> {
  const startServer = gitServerForFile()
  return async () => withLfs(await startServer())
}

function withLfs(server: GitServer): LfsScene {
  return { ...server, lfs: (call, given = {}) => send(server, call, given) }
}

async function send(
  { url, ownerToken }: GitServer,
  call: string,
  { token = ownerToken, body, headers = {}, project = 'ada/app' }: LfsCall,
): Promise<LfsResponse> {
  const [method = '', path = ''] = call.split(' ')
  const response = await request(`${url}/${project}.git/${path}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Basic ${Buffer.from(`any:${token}`).toString('base64')}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isBytes(body) ? body : JSON.stringify(body) }),
  })
  const text = await response.body.text()
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    json: () => JSON.parse(text) as Record<string, unknown>,
  }
}

function isBytes(body: object): body is Buffer | Readable {
  return Buffer.isBuffer(body) || body instanceof Readable
}

export const BATCH = 'POST info/lfs/objects/batch'

/** Uploads an object to the project. */
export function upload(server: LfsScene, content: string, call: LfsCall = {}): Promise<LfsResponse> {
  const { oid, size } = objectOf(content)
  return server.lfs(`PUT gitlab-lfs/objects/${oid}/${size}`, { body: Buffer.from(content), ...call })
}

export function download(server: LfsScene, oid: string, call: LfsCall = {}): Promise<LfsResponse> {
  return server.lfs(`GET gitlab-lfs/objects/${oid}`, call)
}
