import { call } from '../project.mjs'
import { REGISTRATION_TOKEN } from '../tokens.mjs'

/** @typedef {{ id: number, token: string }} Job */

/** Runs jobs by hand: it requests them, prints, and ends them. */
export class JobRunner {
  /**
   * @param {string} url of the coordinator
   * @param {string} token
   */
  constructor(url, token) {
    this.url = url
    this.token = token
  }

  /** @param {string} url */
  static async register(url) {
    const { token } = await call(`${url}/api/v4/runners`, { token: REGISTRATION_TOKEN, run_untagged: true })
    return new JobRunner(url, String(token))
  }

  /** @returns {Promise<Job>} */
  async take() {
    const job = await call(`${this.url}/api/v4/jobs/request`, { token: this.token, info: { name: 'bench' } })
    return { id: Number(job.id), token: String(job.token) }
  }

  /**
   * @param {Job} job
   * @param {number} offset bytes that were printed before
   * @param {string | Buffer} text
   * @returns {Promise<number>} bytes that are printed now
   */
  async print({ id, token }, offset, text) {
    const body = Buffer.from(text)
    const response = await fetch(`${this.url}/api/v4/jobs/${id}/trace`, {
      method: 'PATCH',
      headers: {
        'job-token': token,
        'content-type': 'text/plain',
        'content-range': `${offset}-${offset + body.length - 1}`,
      },
      body: new Uint8Array(body),
    })
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`)
    return offset + body.length
  }

  /** @param {Job} job */
  async finish({ id, token }) {
    const response = await fetch(`${this.url}/api/v4/jobs/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, state: 'success' }),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  }
}
