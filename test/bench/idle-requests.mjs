import { fork } from 'node:child_process'
import { once } from 'node:events'

import { call } from './project.mjs'
import { requestsPerSecond } from './requests-per-second.mjs'
import { REGISTRATION_TOKEN } from './tokens.mjs'

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
  /** @type {import('./requests-per-second.mjs').Request} */
  const request = {
    method: 'POST',
    path: '/api/v4/jobs/request',
    headers: { 'content-type': 'application/json' },
    body,
  }
  const bare = fork('test/bench/bare-server.mjs')
  try {
    const [port] = /** @type {[number]} */ (await once(bare, 'message'))
    const theirs = await requestsPerSecond(`http://127.0.0.1:${port}`, request, 204)
    const ours = await requestsPerSecond(url, request, 204)
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
