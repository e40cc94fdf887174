import type { HttpResponse } from '../../../../runner/client/connections.js'
import type { JobClient, JobIdentity } from '../../../../runner/client/coordinator-client.js'
import { type Call, HttpTransport } from '../../../../runner/client/http-transport.js'
import type { JobInUrl } from '../../../job-in-url.js'
import { ReproductionError } from './errors.js'

/** The caches that a job of a server finds there, with a token of a person in place of that of the job. Read-only. */
export class ServerCaches implements Pick<JobClient, 'callForJob' | 'follow'> {
  private readonly transport: HttpTransport

  constructor(
    private readonly job: JobInUrl,
    private readonly token: string,
  ) {
    this.transport = new HttpTransport(job.server.origin)
  }

  /** Throws `ReproductionError` for anything but reading a cache. */
  async callForJob(_job: JobIdentity, below: string, call: Call): Promise<HttpResponse> {
    if (below !== 'cache' || !['GET', 'HEAD'].includes(call.method)) {
      throw new ReproductionError(`A job that runs here does not send ${call.method} ${below} to the server`)
    }
    const { project, jobId } = this.job
    const path = `projects/${encodeURIComponent(project)}/jobs/${jobId}/cache${call.path}`
    return this.transport.send({ ...call, path, headers: { ...call.headers, 'private-token': this.token } })
  }

  async follow(...redirect: Parameters<JobClient['follow']>): Promise<HttpResponse> {
    return this.transport.follow(...redirect)
  }

  async close(): Promise<void> {
    await this.transport.close()
  }
}
