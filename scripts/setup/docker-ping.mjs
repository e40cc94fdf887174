import { readFileSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Longer than a working engine needs, even over a slow connection. */
const PING_MILLISECONDS = 5000

/**
 * @typedef {{ name: string, secure: boolean, options: import('node:https').RequestOptions }} EngineAddress
 * `name` is for display. `options` is undefined for a scheme that only the docker program supports.
 */

/**
 * The address of the engine in the variables of Docker clients.
 * @param {Record<string, string | undefined>} environment
 * @returns {EngineAddress}
 */
export function engineAddress(environment) {
  const name = environment.DOCKER_HOST || 'unix:///var/run/docker.sock'
  if (name.startsWith('unix://'))
    return { name, secure: false, options: { socketPath: name.slice('unix://'.length) } }
  const { protocol, hostname, port } = new URL(name)
  const secure = protocol === 'https:' || Boolean(environment.DOCKER_TLS_VERIFY)
  const options = { host: hostname, port: port || (secure ? 2376 : 2375) }
  return { name, secure, options: secure ? { ...options, ...certificates(environment) } : options }
}

/** @param {Record<string, string | undefined>} environment */
function certificates(environment) {
  const folder = environment.DOCKER_CERT_PATH || join(homedir(), '.docker')
  /** @param {string} name */
  const read = (name) => readFileSync(join(folder, name))
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
}

/**
 * @param {EngineAddress} address
 * @returns {Promise<boolean>}
 */
export function engineResponds({ secure, options }) {
  return new Promise((resolve) => {
    const send = secure ? requestHttps : requestHttp
    const ping = send({ ...options, path: '/_ping', timeout: PING_MILLISECONDS }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ping.once('timeout', () => ping.destroy())
    ping.once('error', () => resolve(false))
    ping.once('close', () => resolve(false))
    ping.end()
  })
}
