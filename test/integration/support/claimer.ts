import { randomInt } from 'node:crypto'

interface DispatchedJobResponse {
  id: number
  token: string
}

/**
 * A minimal runner that requests jobs and reports success at once. If its coordinator is killed, it continues with
 * another.
 */
export class Claimer {
  /** IDs of the received jobs, in order. */
  readonly received: number[] = []
  private lastUpdate: string | undefined

  constructor(
    private readonly urls: readonly string[],
    private readonly token: string,
    private readonly onFinished: (jobId: number) => void,
  ) {}

  /** Runs until `signal` aborts; throws when it loses ownership of a job. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const job = await this.askSomebody(signal)
      if (!job) continue
      this.received.push(job.id)
      await this.finish(job)
      this.onFinished(job.id)
    }
  }

  /** Undefined when there is no job or no coordinator. The request is held while no job is available. */
  private async askSomebody(signal: AbortSignal): Promise<DispatchedJobResponse | undefined> {
    try {
      const body = {
        token: this.token,
        last_update: this.lastUpdate,
        info: { name: 'claimer', features: {} },
      }
      const response = await this.send('POST', '/jobs/request', body, signal)
      this.lastUpdate = response.headers.get('x-gitlab-last-update') ?? this.lastUpdate
      return response.status === 201 ? ((await response.json()) as DispatchedJobResponse) : undefined
    } catch {
      return undefined // the coordinator was killed, or the test is over
    }
  }

  private async finish(job: DispatchedJobResponse): Promise<void> {
    let isFirst = true
    for (;;) {
      try {
        const response = await this.send('PUT', `/jobs/${job.id}`, { token: job.token, state: 'success' })
        // A killed coordinator may have recorded it before.
        if (response.status === 200 || (response.status === 403 && !isFirst)) return
        if (response.status < 500) throw new LostJobError(`Job ${job.id} was taken away: ${response.status}`)
      } catch (error) {
        if (error instanceof LostJobError) throw error
      }
      isFirst = false
    }
  }

  private send(method: string, path: string, body: object, signal?: AbortSignal): Promise<Response> {
    const url = this.urls[randomInt(this.urls.length)] ?? ''
    return fetch(`${url}/api/v4${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  }
}

class LostJobError extends Error {
  override name = 'LostJobError'
}
