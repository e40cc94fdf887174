import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

const OBJECTS = '/lfs-objects/'

interface BatchRequest {
  objects: { oid: string; size: number }[]
}

/** The server's side of Git LFS: the batch call and the basic transfer, downloads only. */
export class LfsStore {
  private readonly contents = new Map<string, string>()
  /** Paths of the requests, in their order. */
  readonly requests: string[] = []

  /** Keeps a file; returns the pointer that stands for it in a commit. */
  add(content: string): string {
    const pointer = pointerTo(content)
    this.contents.set(oidOf(content), content)
    return pointer
  }

  /** Whether the request is one for this part of the server. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const url = request.url ?? ''
    if (!url.startsWith(OBJECTS) && !url.includes('/info/lfs/')) return false
    this.requests.push(url)
    if (url.endsWith('/objects/batch')) void this.runBatch(request, response)
    else this.sendObject(url.slice(OBJECTS.length), response)
    return true
  }

  private async runBatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { objects } = JSON.parse(await text(request)) as BatchRequest
    const origin = `http://${request.headers.host ?? ''}`
    const bodies = objects.map(({ oid, size }) =>
      this.contents.has(oid)
        ? { oid, size, actions: { download: { href: `${origin}${OBJECTS}${oid}` } } }
        : { oid, size, error: { code: 404, message: 'no such object' } },
    )
    response.writeHead(200, { 'content-type': 'application/vnd.git-lfs+json' })
    response.end(JSON.stringify({ transfer: 'basic', objects: bodies }))
  }

  private sendObject(oid: string, response: ServerResponse): void {
    const content = this.contents.get(oid)
    if (content === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(content)
  }
}

export function pointerTo(content: string): string {
  const size = Buffer.byteLength(content)
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(content)}\nsize ${size}\n`
}

function oidOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}
