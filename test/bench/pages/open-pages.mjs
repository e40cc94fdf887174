import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { residentBytes } from '../idle-runner.mjs'
import { call } from '../project.mjs'
import { figureOf } from './tab.mjs'

const PEOPLE = 20

/** A coordinator serves 100 streams to one user. */
const PAGES_OF_EACH = 50
const SETTLE_MILLISECONDS = 3000
const MEGABYTE = 1_000_000

/**
 * What 1,000 open pages cost the coordinator: each has one stream.
 * @param {string} url
 * @param {number} pid of the coordinator
 * @param {number} project that they show
 */
export async function openPagesFigure(url, pid, project) {
  const tokens = await addPeople(url)
  await pause(SETTLE_MILLISECONDS)
  const before = await residentBytes(pid)
  /** @type {import('node:http').IncomingMessage[]} */
  const streams = []
  try {
    for (const token of tokens) {
      const opening = Array.from({ length: PAGES_OF_EACH }, () => openStream(url, token, project))
      streams.push(...(await Promise.all(opening)))
    }
    await pause(SETTLE_MILLISECONDS)
    const more = (await residentBytes(pid)) - before
    return figureOf('1,000 open pages, memory of the coordinator', more, 60 * MEGABYTE, megabytes)
  } finally {
    for (const stream of streams) stream.destroy()
  }
}

/**
 * @param {string} url
 * @returns {Promise<string[]>} a token of each
 */
async function addPeople(url) {
  /** @type {string[]} */
  const tokens = []
  for (let number = 0; number < PEOPLE; number++) {
    const username = `reader-${number}`
    const { id } = await call(`${url}/api/v4/users`, {
      ...{ username, name: username, email: `${username}@example.com` },
      ...{ force_random_password: true, skip_confirmation: true },
    })
    const path = `${url}/api/v4/users/${String(id)}/personal_access_tokens`
    tokens.push(String((await call(path, { name: 'bench', scopes: ['api'] })).token))
  }
  return tokens
}

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / MEGABYTE).toFixed(0)} MB`

/**
 * @param {string} url
 * @param {string} token
 * @param {number} project
 * @returns {Promise<import('node:http').IncomingMessage>}
 */
function openStream(url, token, project) {
  return new Promise((resolve, reject) => {
    const request = get(
      `${url}/api/v4/live?topics=project/${project}`,
      { agent: false, headers: { 'private-token': token } },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`The stream is ${response.statusCode}`))
        response.once('data', () => resolve(response.resume()))
        response.on('error', () => undefined)
      },
    )
    request.on('error', reject)
  })
}
