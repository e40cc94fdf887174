import { once } from 'node:events'

import { WebSocket } from 'ws'

import { INFO, type RunnerClient } from '../coordinator/support/runner-client.js'
import { onFinished } from './lifetime.js'

/** The `info` of a runner that opens shells in running jobs. */
export const INFO_WITH_SHELLS = { ...INFO, features: { ...INFO.features, job_terminals: true } }

interface Wanted {
  id: string
  columns: number
  rows: number
}

interface StartedJob {
  id: number
  token: string
}

/**
 * The shells of a runner of the tests. Each prints its size and a prompt, then echoes what is typed; `exit` ends it with
 * code 3. `api`: address of the API.
 */
export class ShellRunner {
  private readonly stopping = new AbortController()
  private readonly opened = new Set<string>()
  /** What was typed into each shell. */
  readonly typed: string[] = []

  constructor(private readonly api: string) {
    onFinished(() => this.stopping.abort())
  }

  /** Reports that a job is held, ends it, and opens shells until the end of the test. */
  async hold(runner: RunnerClient, job: StartedJob, seconds = 1800): Promise<void> {
    const hold = { place: 'container 3f2a1c90b7de', has_terminal: true, seconds, max_seconds: 7200 }
    const begun = await this.call('POST', `/jobs/${job.id}/hold`, { 'job-token': job.token }, hold)
    const { token } = (await begun.json()) as { token: string }
    await runner.update(job, 'failed', { failure_reason: 'script_failure', exit_code: 1 })
    const headers = { 'hold-token': token }
    void this.follow(async (revision) => {
      const news = await this.call('GET', `/jobs/${job.id}/hold?revision=${revision}`, headers)
      if (news.status !== 200) return revision
      const body = (await news.json()) as { revision: number; terminals: Wanted[]; has_ended: boolean }
      for (const wanted of body.terminals) this.open(wanted, headers)
      if (body.has_ended) this.stopping.abort()
      return body.revision
    })
  }

  /** Opens shells in a running job until the end of the test. */
  run(job: StartedJob): void {
    const headers = { 'job-token': job.token }
    void this.follow(async () => {
      const known = [...this.opened].join(',')
      const news = await this.call('GET', `/jobs/${job.id}/signals?terminals=${known}`, headers)
      if (news.status === 403) this.stopping.abort()
      const body: unknown = news.status === 200 ? await news.json() : undefined
      if (typeof body === 'object' && body !== null && 'terminals' in body)
        for (const wanted of body.terminals as Wanted[]) this.open(wanted, headers)
      return 1
    })
  }

  private async follow(turn: (revision: number) => Promise<number>): Promise<void> {
    let revision = 1
    try {
      while (!this.stopping.signal.aborted) revision = await turn(revision)
    } catch (error) {
      if (!this.stopping.signal.aborted) throw error
    }
  }

  private open(wanted: Wanted, headers: Record<string, string>): void {
    if (this.opened.has(wanted.id)) return
    this.opened.add(wanted.id)
    const socket = new WebSocket(`${this.api.replace(/^http/, 'ws')}/terminals/${wanted.id}`, { headers })
    this.stopping.signal.addEventListener('abort', () => socket.terminate())
    void this.serve(socket, wanted)
  }

  private async serve(socket: WebSocket, { columns, rows }: Wanted): Promise<void> {
    const print = (text: string) => socket.send(Buffer.from(`\u0001${text}`))
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) {
        const { kind, ...size } = JSON.parse(data.toString('utf8')) as { kind: string; columns?: number }
        if (kind === 'resize') print(`[${size.columns} columns]\r\n$ `)
        return
      }
      const text = data.subarray(1).toString('utf8')
      this.typed.push(text)
      if (this.typed.join('').endsWith('exit\r')) {
        socket.send(JSON.stringify({ kind: 'exit', code: 3 }))
        socket.close(1000)
      } else print(text === '\u0003' ? '^C\r\n$ ' : text.replaceAll('\r', '\r\n$ '))
    })
    await once(socket, 'open')
    print(`Size ${columns} × ${rows}\r\n\u001B[38;2;200;120;40m/builds/group/app\u001B[0m $ `)
  }

  private call(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<Response> {
    return fetch(`${this.api}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: this.stopping.signal,
    })
  }
}
