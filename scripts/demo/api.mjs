import { Pool } from 'undici'

const CONNECTIONS = 16

/** What the demo reads of the records of the API. @typedef {{ id: number, name: string, token: string, url: string, status: string, access_level: number, tag_list: string[], merge_request: { iid: number } }} ApiRecord */

/** Calls the API of the coordinator as one of its users. */
export class Api {
  /**
   * @param {Pool} pool
   * @param {string} url
   * @param {string} token
   */
  constructor(pool, url, token) {
    this.pool = pool
    this.url = url
    this.token = token
  }

  /**
   * @param {string} url
   * @param {string} token
   */
  static connect(url, token) {
    return new Api(new Pool(url, { connections: CONNECTIONS }), url, token)
  }

  /**
   * Uses these connections for another user.
   * @param {string} token
   */
  as(token) {
    return new Api(this.pool, this.url, token)
  }

  /**
   * @param {string} path below /api/v4
   * @returns {Promise<ApiRecord[]>}
   */
  list(path) {
    return this.call('GET', path)
  }

  /**
   * @param {string} path below /api/v4
   * @param {object} [body]
   * @returns {Promise<ApiRecord>}
   */
  post(path, body = {}) {
    return this.call('POST', path, body)
  }

  /**
   * @param {string} path below /api/v4
   * @param {object} body
   * @returns {Promise<ApiRecord>}
   */
  put(path, body) {
    return this.call('PUT', path, body)
  }

  /**
   * @param {'GET' | 'POST' | 'PUT'} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>}
   */
  async call(method, path, body) {
    const response = await this.pool.request({
      method,
      path: `/api/v4${path}`,
      headers: { 'private-token': this.token, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  close() {
    return this.pool.close()
  }
}
