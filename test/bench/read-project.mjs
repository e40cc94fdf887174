import { fork } from 'node:child_process'
import { once } from 'node:events'

import { call } from './project.mjs'
import { requestsPerSecond } from './requests-per-second.mjs'
import { ADMIN_TOKEN } from './tokens.mjs'

/**
 * Reading a project with a personal access token, against a bare Fastify route that sends the same JSON.
 * @param {import('./installation.mjs').Installation} installation
 */
export async function benchReadProject({ url }) {
  const project = await call(`${url}/api/v4/projects`, { name: 'read' })
  /** @type {import('./requests-per-second.mjs').Request} */
  const request = {
    method: 'GET',
    path: `/api/v4/projects/${String(project.id)}`,
    headers: { 'private-token': ADMIN_TOKEN },
  }
  const record = await (
    await fetch(`${url}${request.path}`, { headers: { 'private-token': ADMIN_TOKEN } })
  ).json()
  const bare = fork('test/bench/bare-route.mjs')
  try {
    bare.send(/** @type {import('node:child_process').Serializable} */ (record))
    const [port] = /** @type {[number]} */ (await once(bare, 'message'))
    const theirs = await requestsPerSecond(`http://127.0.0.1:${port}`, request, 200)
    const ours = await requestsPerSecond(url, request, 200)
    return [
      {
        name: 'reading a project over the API',
        ours: `${Math.round(ours)}/s`,
        baseline: 'bare Fastify route',
        theirs: `${Math.round(theirs)}/s`,
        ratio: ours / theirs,
        target: 'at least 0.5',
      },
    ]
  } finally {
    bare.kill()
  }
}
