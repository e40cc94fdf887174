interface Dispatched {
  id: number
  token: string
}

/** A minimal runner: each of its jobs sends a log in several parts, uploads an artifact, and succeeds. */
export class BusyWorker {
  constructor(
    private readonly url: string,
    private readonly token: string,
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
      throw error
    }
  }

  private async work(job: Dispatched): Promise<void> {
    let offset = 0
    for (let part = 0; part < 4; part++) {
      const text = `job ${job.id}, part ${part}: ${'x'.repeat(500)}\n`
      await this.patch(job, offset, text)
      offset += text.length
    }
    const form = new FormData()
    form.append('file', new Blob([`artifact of job ${job.id}`]), 'notes.txt')
    form.append('artifact_type', 'metrics')
    form.append('artifact_format', 'raw')
    await this.send(`/jobs/${job.id}/artifacts`, {
      method: 'POST',
      headers: { 'job-token': job.token },
      body: form,
    })
    await this.send(`/jobs/${job.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: job.token, state: 'success' }),
    })
  }

  private async patch(job: Dispatched, offset: number, text: string): Promise<void> {
    const range = `${offset}-${offset + text.length - 1}`
    await this.send(`/jobs/${job.id}/trace`, {
      method: 'PATCH',
      headers: { 'job-token': job.token, 'content-range': range, 'content-type': 'text/plain' },
      body: text,
    })
  }

  private async send(path: string, init: RequestInit): Promise<void> {
    const response = await fetch(this.url + path, init)
    if (!response.ok) throw new Error(`${init.method} ${path}: ${response.status} ${await response.text()}`)
  }
}
