import { invalid } from '../../../ci-config/errors.js'
import { limits } from '../../../ci-config/limits.js'
import type { EgressClient, EgressResponse } from '../../../coordinator/egress/egress-client.js'
import { ResponseError } from '../../../coordinator/egress/errors.js'
import { ServerUnavailableError } from './errors.js'
import { isSafeForTokens } from './server-address.js'

const TIMEOUT_MILLISECONDS = 10_000
/** A list of files or variables is larger than a CI file. */
const MAX_BYTES = 8 * limits.yamlBytes
/** Items of a page, and pages of a list. */
const PAGE = 100
const MAX_PAGES = 200

export interface ServerClientOptions {
  server: URL
  /** As given by the user. */
  token: string | undefined
  /** Looks a token up, once, if the server refuses a request without one. */
  findToken: () => Promise<string | undefined>
}

/** Reads from the API of the coordinator, or of a GitLab server, that hosts the project. */
export class ServerClient {
  readonly server: URL
  private token: Promise<string | undefined> | undefined

  constructor(
    private readonly client: EgressClient,
    private readonly options: ServerClientOptions,
  ) {
    this.server = options.server
    if (options.token !== undefined) this.token = Promise.resolve(options.token)
  }

  /** Whether a token was sent, or could have been. */
  async hasToken(): Promise<boolean> {
    return (await this.token) !== undefined
  }

  /** The body; undefined if it does not exist or must not be seen. Throws `ServerUnavailableError`. */
  async read(path: string): Promise<string | undefined> {
    const { status, body } = await this.get(path)
    if (status === 200) return body.toString('utf8')
    if (status === 401 || status === 403 || status === 404) return undefined
    throw this.failure(`it responded with ${status}`)
  }

  async readJson<T>(path: string): Promise<T | undefined> {
    const text = await this.read(path)
    if (text === undefined) return undefined
    try {
      return JSON.parse(text) as T
    } catch (error) {
      if (error instanceof SyntaxError) throw this.failure('it does not respond with JSON, so it is no API')
      throw error
    }
  }

  /** All pages of a list; undefined like `read`. */
  async readList<T>(path: string): Promise<T[] | undefined> {
    const items: T[] = []
    for (let page = 1; page <= MAX_PAGES; page++) {
      const sign = path.includes('?') ? '&' : '?'
      const some = await this.readJson<T[]>(`${path}${sign}per_page=${PAGE}&page=${page}`)
      if (some === undefined) return page === 1 ? undefined : items
      items.push(...some)
      if (some.length < PAGE) break
    }
    return items
  }

  /** First without a token that the user has not given, so that public files need none. */
  private async get(path: string): Promise<EgressResponse> {
    const response = await this.send(path, await this.token)
    if (this.token !== undefined || ![401, 403, 404].includes(response.status)) return response
    this.token = isSafeForTokens(this.server) ? this.options.findToken() : Promise.resolve(undefined)
    const found = await this.token
    return found === undefined ? response : this.send(path, found)
  }

  private async send(path: string, token: string | undefined): Promise<EgressResponse> {
    if (token !== undefined && !isSafeForTokens(this.server)) {
      throw invalid(
        `The token is not sent to ${this.server.origin}, because it would not be encrypted: use https`,
      )
    }
    try {
      return await this.client.send({
        url: new URL(`api/v4/${path}`, this.server).href,
        ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
        timeout: TIMEOUT_MILLISECONDS,
        maxBytes: MAX_BYTES,
        signal: AbortSignal.timeout(limits.includeSeconds * 1000),
      })
    } catch (error) {
      const isNetwork = error instanceof DOMException || (error instanceof Error && 'code' in error)
      if (!isNetwork) throw error
      throw this.failure(
        error instanceof ResponseError ? error.message : `it cannot be reached (${error.message})`,
      )
    }
  }

  private failure(why: string): Error {
    return new ServerUnavailableError(`The server ${this.server.origin} could not be asked: ${why}`)
  }
}
