import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { JobReproduction } from '../../../../coordinator/ci/jobs/reproduction/schema.js'
import { isRecord } from '../../../../lib/is-record.js'
import type { JobInUrl } from '../../../job-in-url.js'
import { isSafeForTokens } from '../../../working-directory/outside/server-address.js'
import { ReproductionError } from './errors.js'
import { ServerCaches } from './server-caches.js'

/** Milliseconds until a server must begin to respond. */
const RESPONSE_LIMIT = 30_000
const MAX_REDIRECTS = 3

/** The server of a job, as the owner of a token sees it. */
export class JobServer {
  /** Throws `ReproductionError` if others could read the token on its way. */
  constructor(
    private readonly job: JobInUrl,
    readonly token: string,
  ) {
    if (!isSafeForTokens(job.server)) {
      throw new ReproductionError(
        `The token is not sent to ${job.server.origin}, because others could read it on its way: use https`,
      )
    }
  }

  /** Throws `ReproductionError`. */
  async readReproduction(): Promise<JobReproduction> {
    const { project, jobId } = this.job
    const response = await this.get(
      `/api/v4/projects/${encodeURIComponent(project)}/jobs/${jobId}/reproduction`,
    )
    const body: unknown = await response.json().catch(() => undefined)
    if (response.status === 200 && isRecord(body)) return body as JobReproduction
    throw new ReproductionError(problemOf(response.status, body, this.job))
  }

  /** Stores the archive of another job in a file. Returns why that is not possible, or undefined. */
  async downloadArchive(projectId: number, jobId: number, file: string): Promise<string | undefined> {
    const response = await this.get(`/api/v4/projects/${projectId}/jobs/${jobId}/artifacts`)
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel()
      return response.status === 404
        ? 'they have expired, were erased, or may not be seen with this token'
        : `the server responded with ${response.status}`
    }
    await pipeline(Readable.fromWeb(response.body), createWriteStream(file))
    return undefined
  }

  /** The caches that the job finds. The caller closes them. */
  openCaches(): ServerCaches {
    return new ServerCaches(this.job, this.token)
  }

  /** The token goes to the server alone, not to where it redirects. */
  private async get(path: string): Promise<Response> {
    let url = new URL(path, this.job.server)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const headers =
        url.origin === this.job.server.origin
          ? { 'private-token': this.token }
          : ({} as Record<string, string>)
      const response = await this.fetch(url, headers)
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) return response
      await response.body?.cancel()
      url = new URL(location, url)
    }
    throw new ReproductionError(`${this.job.server.origin} redirects too often`)
  }

  private async fetch(url: URL, headers: Record<string, string>): Promise<Response> {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), RESPONSE_LIMIT)
    try {
      return await fetch(url, { headers, redirect: 'manual', signal: limit.signal })
    } catch (error) {
      throw new ReproductionError(`${url.origin} cannot be reached`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
}

function problemOf(status: number, body: unknown, { project, jobId, server }: JobInUrl): string {
  switch (status) {
    case 401:
      return `${server.origin} does not accept the token`
    case 403:
      return `With this token, the code of ${project} or the log of the job ${jobId} may not be read`
    case 404:
      return `There is no job ${jobId} in ${project}, or the server is too old for this`
    default: {
      const reason = isRecord(body) ? (body['message'] ?? body['error']) : undefined
      return typeof reason === 'string' ? reason : `The server responded with ${status}`
    }
  }
}
