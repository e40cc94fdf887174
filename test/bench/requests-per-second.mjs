import { Pool } from 'undici'

export const CONNECTIONS = 16
const WARM_UP_MILLISECONDS = 1000
const MILLISECONDS = 4000

/** @typedef {import('undici').Dispatcher.RequestOptions} Request */

/**
 * How many requests a server serves in a second, each of several connections asking as soon as it was served.
 * @param {string} url
 * @param {Request | ((connection: number) => Request)} request the same ones, or the next one of a connection
 * @param {number} status that every response must have
 */
export async function requestsPerSecond(url, request, status) {
  const pool = new Pool(url, { connections: CONNECTIONS })
  try {
    await ask(pool, request, status, WARM_UP_MILLISECONDS)
    return ((await ask(pool, request, status, MILLISECONDS)) * 1000) / MILLISECONDS
  } finally {
    await pool.close()
  }
}

/**
 * @param {Pool} pool
 * @param {Request | ((connection: number) => Request)} request
 * @param {number} status
 * @param {number} milliseconds
 * @returns {Promise<number>} requests served in that time
 */
async function ask(pool, request, status, milliseconds) {
  const end = performance.now() + milliseconds
  let count = 0
  const askUntilEnd = async (/** @type {number} */ connection) => {
    while (performance.now() < end) {
      const response = await pool.request(typeof request === 'function' ? request(connection) : request)
      await response.body.dump()
      if (response.statusCode !== status) throw new Error(`Expected ${status}, not ${response.statusCode}`)
      count++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => askUntilEnd(connection)))
  return count
}
