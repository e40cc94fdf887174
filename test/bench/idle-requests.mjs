import { fork } from 'node:child_process'
import { once } from 'node:events'

import { Pool } from 'undici'

import { call } from './project.mjs'
import { REGISTRATION_TOKEN } from './tokens.mjs'

const CONNECTIONS = 16
const WARM_UP_MILLISECONDS = 1000
const MILLISECONDS = 4000

/**
 * Requests for a job when there is none, without long polling, against a bare Node.js server that reads the same JSON.
 * @param {import('./installation.mjs').Installation} installation
 */
export async function benchIdleRequests({ url }) {
  const runner = await call(`${url}/api/v4/runners`, {
    token: REGISTRATION_TOKEN,
    tag_list: 'nothing',
    run_untagged: false,
  })
  const body = JSON.stringify({ token: runner.token, info: { name: 'bench', version: '0', features: {} } })
  const bare = fork('test/bench/bare-server.mjs')
  try {
    const [port] = /** @type {[number]} */ (await once(bare, 'message'))
    const theirs = await requestsPerSecond(`http://127.0.0.1:${port}`, body)
    const ours = await requestsPerSecond(url, body)
    return [
      {
        name: 'idle job requests',
        ours: `${Math.round(ours)}/s`,
        baseline: 'bare Node.js server',
        theirs: `${Math.round(theirs)}/s`,
        ratio: ours / theirs,
      },
    ]
  } finally {
    bare.kill()
  }
}

/**
 * @param {string} url
 * @param {string} body
 */
async function requestsPerSecond(url, body) {
  const pool = new Pool(url, { connections: CONNECTIONS })
  try {
    await ask(pool, body, WARM_UP_MILLISECONDS)
    return ((await ask(pool, body, MILLISECONDS)) * 1000) / MILLISECONDS
  } finally {
    await pool.close()
  }
}

/**
 * @param {Pool} pool
 * @param {string} body
 * @param {number} milliseconds
 * @returns {Promise<number>} requests answered in that time
 */
async function ask(pool, body, milliseconds) {
  const end = performance.now() + milliseconds
  let count = 0
  const askUntilEnd = async () => {
    while (performance.now() < end) {
      const answer = await pool.request({
        method: 'POST',
        path: '/api/v4/jobs/request',
        headers: { 'content-type': 'application/json' },
        body,
      })
      await answer.body.dump()
      if (answer.statusCode !== 204) throw new Error(`Expected 204, not ${answer.statusCode}`)
      count++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, askUntilEnd))
  return count
}
