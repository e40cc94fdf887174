import { pause } from '../../../src/lib/pause.js'

interface Dispatched {
  id: number
  token: string
}

/** The parts in which the log of a job is sent. */
function partsOf(jobId: number): string[] {
  return Array.from({ length: 4 }, (_none, part) => `job ${jobId}, part ${part}: ${'x'.repeat(500)}\n`)
}

/** The whole log of a job. */
export function logOf(jobId: number): string {
  return partsOf(jobId).join('')
}

export function artifactOf(jobId: number): string {
  return `artifact of job ${jobId}`
}

/** Milliseconds between two attempts while no coordinator runs. */
const RETRY_INTERVAL = 200

/** A minimal runner: each of its jobs sends a log in several parts, uploads an artifact, and succeeds. */
export class BusyWorker {
  constructor(
    private readonly url: string,
    private readonly token: string,
    /** Whether it repeats requests that have no response because the coordinator was killed. */
    private readonly survivesKills = false,
  ) {}

  /** Runs jobs until `signal` aborts; the last one is finished. Returns their IDs. */
  async run(signal: AbortSignal): Promise<number[]> {
    const finished: number[] = []
    while (!signal.aborted) {
      const job = await this.request(signal)
      if (!job) continue
      await this.work(job)
      finished.push(job.id)
    }
    return finished
  }

  /** Takes a job and sends a part of its log, but never ends it. */
  async begin(signal: AbortSignal): Promise<number> {
    for (;;) {
      const job = await this.request(signal)
      if (!job) continue
      await this.patch(job, 0, `job ${job.id} has begun\n`)
      return job.id
    }
  }

  private async request(signal: AbortSignal): Promise<Dispatched | undefined> {
    try {
      const body = JSON.stringify({ token: this.token, info: { name: 'worker', features: {} } })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${this.url}/jobs/request`, { method: 'POST', headers, body, signal })
      return response.status === 201 ? ((await response.json()) as Dispatched) : undefined
    } catch (error) {
      if (signal.aborted) return undefined
      if (!this.survivesKills) throw error
      await pause(RETRY_INTERVAL, signal)
      return undefined
    }
  }

  private async work(job: Dispatched): Promise<void> {
    let offset = 0
    for (const text of partsOf(job.id)) {
      await this.patch(job, offset, text)
      offset += text.length
    }
    const form = new FormData()
    form.append('file', new Blob([artifactOf(job.id)]), 'notes.txt')
    await this.send(
      `/jobs/${job.id}/artifacts`,
      {
        method: 'POST',
        headers: { 'job-token': job.token },
        body: form,
      },
      () => false,
    )
    const init = {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: job.token, state: 'success' }),
    }
    // An attempt before may have ended the job: then its token is not valid any longer.
    await this.send(`/jobs/${job.id}`, init, ({ status }) => status === 403)
  }

  private async patch(job: Dispatched, offset: number, text: string): Promise<void> {
    const range = `${offset}-${offset + text.length - 1}`
    const init = {
      method: 'PATCH',
      headers: { 'job-token': job.token, 'content-range': range, 'content-type': 'text/plain' },
      body: text,
    }
    // An attempt before may have stored the part, or its beginning.
    const { status, headers } = await this.send(
      `/jobs/${job.id}/trace`,
      init,
      (response) => response.status === 416,
    )
    if (status !== 416) return
    const size = Number(headers.get('range')?.split('-')[1])
    if (!(size >= offset)) throw new Error(`The log of job ${job.id} has lost bytes: ${size} of ${offset}`)
    if (size < offset + text.length) await this.patch(job, size, text.slice(size - offset))
  }

  /** @param isDone whether a response to a repeated request means that an attempt before it has succeeded */
  private async send(
    path: string,
    init: RequestInit,
    isDone: (response: Response) => boolean,
  ): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.attempt(path, init)
      if (response && (response.ok || (attempt > 1 && isDone(response)))) return response
      if (response && !(this.survivesKills && response.status >= 500))
        throw new Error(`${init.method} ${path}: ${response.status} ${await response.text()}`)
      await pause(RETRY_INTERVAL)
    }
  }

  /** Undefined if the coordinator was killed. */
  private async attempt(path: string, init: RequestInit): Promise<Response | undefined> {
    try {
      return await fetch(this.url + path, init)
    } catch (error) {
      if (!this.survivesKills) throw error
      return undefined
    }
  }
}
