import { boot } from './boot.js'
import { messageOf } from './error-message.js'
import { endWait, waitToRead } from './waits.js'

const API = '/api/v4'

/** A request that the server refused, or that did not reach it. */
export class RequestError extends Error {
  constructor(
    message: string,
    /** Status of the response; 0 if there was none. */
    readonly status: number,
    /** The body of the response, if it is JSON. */
    readonly body: unknown,
    /** Names the request in the log of the server. */
    readonly requestId: string | undefined,
    /** Seconds to wait before the next attempt. */
    readonly retryAfter: number | undefined,
  ) {
    super(message)
    this.name = 'RequestError'
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RequestOptions {
  method?: Method
  /** Sent as JSON; a form is sent as it is, for files. */
  body?: object | FormData
  /** Asks for these bytes only, such as `bytes=0-99`. */
  range?: string
  signal?: AbortSignal
}

/** Asks the user for the password; resolves to whether it was right. */
type Confirm = () => Promise<boolean>

let confirm: Confirm | undefined

/** Sets what asks for the password when the server wants it again for a dangerous change. */
export function confirmWith(ask: Confirm): void {
  confirm = ask
}

/** Asks the user to sign in again; resolves to whether the user did. */
type SignInAgain = () => Promise<boolean>

let signInAgain: SignInAgain | undefined

/** The question that is open: requests that fail together share it. */
let signingIn: Promise<boolean> | undefined

/** Set when the user does not want to sign in: the requests that the page sends on its own do not ask again. */
let isDeclined = false

/** Sets what asks the user to sign in again after the session has ended. */
export function signInAgainWith(ask: SignInAgain): void {
  signInAgain = ask
}

async function hasSignedInAgain(method: Method): Promise<boolean> {
  if (!signInAgain || (isDeclined && method === 'GET')) return false
  signingIn ??= signInAgain().finally(() => (signingIn = undefined))
  isDeclined = !(await signingIn)
  return !isDeclined
}

/** Whether a request failed because the session has ended. Without a session, what is not public is refused or not found. */
async function isSignedOut(error: unknown): Promise<boolean> {
  if (!boot.user || !(error instanceof RequestError)) return false
  if (error.status !== 401 && error.status !== 404) return false
  try {
    await send('/user', {})
    return false
  } catch (refusal) {
    return refusal instanceof RequestError && refusal.status === 401
  }
}

/**
 * Sends a request to the API with the session of the page. If the server wants the password first, the user is asked, and
 * the request is sent again. If the session has ended, the user is asked to sign in, and the request is sent again. A read
 * that is refused because of too many requests (429) is sent again at the time that the server names, until it succeeds.
 * @param path below the prefix of the API, with its query
 * @throws {RequestError} for a response that is no success, and without a response
 */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  try {
    return await sendPatiently(path, options)
  } catch (error) {
    if (isRefusedFor(error, 'terms_not_accepted')) openFirst('terms')
    if (isRefusedFor(error, 'two_factor_required')) openFirst('two_factor')
    if ((await isSignedOut(error)) && (await hasSignedInAgain(options.method ?? 'GET')))
      return sendPatiently(path, options)
    if (!isRefusedFor(error, 'confirmation_required') || !(await confirm?.())) throw error
    return sendPatiently(path, options)
  }
}

/** Sends a read again for as long as the server has had too many requests. Changes are refused at once: their user decides. */
async function sendPatiently(path: string, options: RequestOptions): Promise<Response> {
  if ((options.method ?? 'GET') !== 'GET') return send(path, options)
  const read = {}
  try {
    for (;;) {
      try {
        return await send(path, options)
      } catch (error) {
        if (!(error instanceof RequestError) || error.status !== 429) throw error
        await waitToRead(read, error.retryAfter, options.signal)
      }
    }
  } finally {
    endWait(read)
  }
}

function isRefusedFor(error: unknown, reason: string): boolean {
  return (
    error instanceof RequestError &&
    error.status === 403 &&
    (error.body as { error?: unknown } | undefined)?.error === reason
  )
}

/** Opens a page on which the user has to do something, and which leads back to this one. */
function openFirst(page: 'terms' | 'two_factor'): void {
  const { pathname, search, hash } = location
  location.assign(`/-/users/${page}?redirect=${encodeURIComponent(pathname + search + hash)}`)
}

async function send(
  path: string,
  { method = 'GET', body, range, signal }: RequestOptions,
): Promise<Response> {
  const isForm = body instanceof FormData
  const headers: Record<string, string> = { accept: 'application/json' }
  if (method !== 'GET' && boot.csrf_token) headers['x-csrf-token'] = boot.csrf_token
  if (body && !isForm) headers['content-type'] = 'application/json'
  if (range !== undefined) headers['range'] = range
  let response: Response
  try {
    response = await fetch(API + path, {
      method,
      headers,
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new RequestError('The server cannot be reached', 0, undefined, undefined, undefined)
  }
  if (response.ok) return response
  throw await errorOf(response)
}

/** Reads JSON; a response without a body is undefined. */
export async function requestJson<Data>(path: string, options?: RequestOptions): Promise<Data> {
  const response = await request(path, options)
  const text = await response.text().catch((error: unknown) => {
    throw lostConnection(error, options?.signal)
  })
  return (text === '' ? undefined : JSON.parse(text)) as Data
}

export interface ListPage<Row> {
  rows: Row[]
  /** Path of the next page below the prefix of the API; undefined at the end. */
  next: string | undefined
  /** Number of all rows, where the server counts them. */
  total: number | undefined
  /** A search ended before everything was searched. */
  isIncomplete: boolean
}

/** One page of a list, with the address of the next one from the header `Link`. */
export async function requestPage<Row>(path: string, signal?: AbortSignal): Promise<ListPage<Row>> {
  const response = await request(path, signal ? { signal } : {})
  const total = response.headers.get('x-total')
  const rows: unknown = await response.json().catch((error: unknown) => {
    throw lostConnection(error, signal)
  })
  return {
    rows: rows as Row[],
    next: nextOf(response.headers.get('link')),
    total: total === null ? undefined : Number(total),
    isIncomplete: response.headers.has('x-search-incomplete'),
  }
}

/** The error for a body that ended early: as if there had been no response. */
function lostConnection(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return error
  return new RequestError('The connection to the server was lost', 0, undefined, undefined, undefined)
}

/** Each line of a response of JSON lines, as soon as it is there. */
export async function* requestLines<Line>(path: string, signal?: AbortSignal): AsyncGenerator<Line> {
  const response = await request(path, signal ? { signal } : {})
  if (!response.body) return
  let rest = ''
  try {
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield JSON.parse(line) as Line
    }
  } catch (error) {
    throw lostConnection(error, signal)
  }
  if (rest.trim() !== '') yield JSON.parse(rest) as Line
}

function nextOf(link: string | null): string | undefined {
  const address = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1]
  if (!address) return undefined
  const { pathname, search } = new URL(address, location.href)
  return pathname.slice(pathname.indexOf(API) + API.length) + search
}

async function errorOf(response: Response): Promise<RequestError> {
  return refusalOf({
    status: response.status,
    statusText: response.statusText,
    text: await response.text(),
    header: (name) => response.headers.get(name),
  })
}

interface Refusal {
  status: number
  statusText: string
  /** The body. */
  text: string
  header: (name: string) => string | null
}

/** Which role the request requires, and who assigns it; undefined where that is not the reason of a refusal. */
function requiredRole(header: Refusal['header']): string | undefined {
  const role = header('x-required-role')
  if (role === null) return undefined
  if (role === 'administrator') return 'This is for administrators of the instance.'
  const container = header('x-required-role-in') ?? ''
  // Maintainers of a project assign roles up to their own.
  const by = container === 'group' || role === 'owner' ? 'owners' : 'maintainers and owners'
  return `This requires the role ${role[0]?.toUpperCase()}${role.slice(1)} in the ${container}. Its ${by} can assign it.`
}

/** The error for a response that is no success. */
export function refusalOf({ status, statusText, text, header }: Refusal): RequestError {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined // a proxy responds with HTML
  }
  const retryAfter = Number(header('retry-after') ?? Number.NaN)
  return new RequestError(
    requiredRole(header) ?? messageOf(body) ?? `The server returned ${status} ${statusText}`.trim(),
    status,
    body,
    header('x-request-id') ?? undefined,
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  )
}
