import { setMaxListeners } from 'node:events'

import { Agent } from 'undici'

import { call } from './project.mjs'
import { REGISTRATION_TOKEN } from './tokens.mjs'

/** Runners that do nothing but ask, each for jobs with a tag. */
export class WaitingRunners {
  /**
   * @param {string} url
   * @param {number} count
   * @param {(runner: number) => string} tagOf
   */
  constructor(url, count, tagOf) {
    this.url = url
    this.count = count
    this.tagOf = tagOf
    this.dispatcher = new Agent({ connections: null, headersTimeout: 0 })
    this.stopping = new AbortController()
    setMaxListeners(count, this.stopping.signal)
    /** @type {Promise<void>[]} */
    this.loops = []
    /** @type {((at: number) => void) | undefined} */
    this.onJob = undefined
  }

  /** When it returns, the requests of all are held. */
  async start() {
    for (let runner = 0; runner < this.count; runner++) {
      const tag_list = this.tagOf(runner)
      const { token } = await call(`${this.url}/api/v4/runners`, {
        token: REGISTRATION_TOKEN,
        tag_list,
        run_untagged: false,
      })
      const lastUpdate = await this.lastUpdate(String(token))
      this.loops.push(this.keepAsking(String(token), lastUpdate))
    }
  }

  /** @returns {Promise<number>} milliseconds on the clock of `performance` when the next job arrives */
  nextJob() {
    return new Promise((resolve) => {
      this.onJob = resolve
    })
  }

  async stop() {
    this.stopping.abort()
    await Promise.all(this.loops)
    await this.dispatcher.close()
  }

  /** @param {string} token */
  async lastUpdate(token) {
    const reply = await this.ask({ token })
    await reply.body.dump()
    return String(reply.headers['x-gitlab-last-update'])
  }

  /**
   * @param {string} token
   * @param {string} last_update
   */
  async keepAsking(token, last_update) {
    for (;;) {
      try {
        const reply = await this.ask({ token, last_update })
        const arrived = performance.now()
        if (reply.statusCode !== 201) {
          await reply.body.dump()
          continue
        }
        await this.finish(/** @type {{ id: number, token: string }} */ (await reply.body.json()))
        this.onJob?.(arrived)
      } catch (error) {
        if (this.stopping.signal.aborted) return
        throw error
      }
    }
  }

  /** @param {object} body */
  ask(body) {
    return this.dispatcher.request({
      origin: this.url,
      method: 'POST',
      path: '/api/v4/jobs/request',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, info: { name: 'bench', features: {} } }),
      signal: this.stopping.signal,
    })
  }

  /** @param {{ id: number, token: string }} job */
  async finish({ id, token }) {
    const response = await fetch(`${this.url}/api/v4/jobs/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, state: 'success' }),
    })
    if (!response.ok) throw new Error(`PUT job ${id}: ${response.status}`)
  }
}
