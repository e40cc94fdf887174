import { isRecord } from '../lib/is-record.js'
import { ToolError } from './tool-error.js'

/** An operation of the API, as its documents name it: `GET /projects/:id/jobs/:job_id`. */
export type Route = `${'GET' | 'POST'} /${string}`

export interface ApiRequest {
  method: 'GET' | 'POST'
  /** Below `/api/v4`, with the query. */
  path: string
  /** Sent as JSON. */
  body?: object
}

export interface ApiResponse {
  status: number
  text: string
}

/** Sends a request to the API of a server, as the person or program that calls a tool. */
export type SendRequest = (request: ApiRequest) => Promise<ApiResponse>

type Values = Record<string, string | number | boolean | undefined>

/** The API of a server, as tools call it. */
export class Api {
  constructor(private readonly send: SendRequest) {}

  /**
   * Calls an operation and reads its JSON.
   * @param values of the parameters in the path of the route; the others are its query, or the body of a `POST`
   * @throws ToolError if the server refuses the request or its response is no JSON
   */
  async call(route: Route, values: Values, body: object = {}): Promise<unknown> {
    const text = await this.text(route, values, body)
    try {
      return JSON.parse(text) as unknown
    } catch (cause) {
      throw new ToolError(
        `The response of the server to ${route} is no JSON. Is the address that of Switchyard?`,
        {
          cause,
        },
      )
    }
  }

  /** Like `call`, for an operation whose response is text. */
  async text(route: Route, values: Values, body: object = {}): Promise<string> {
    const [method, template] = route.split(' ') as ['GET' | 'POST', string]
    const inPath = new Set<string>()
    const path = template.replace(/:(\w+)/g, (_match, name: string) => {
      inPath.add(name)
      return encodeURIComponent(String(values[name]))
    })
    const others = Object.entries(values).filter(([name, value]) => !inPath.has(name) && value !== undefined)
    const query = new URLSearchParams(
      others.map(([name, value]): [string, string] => [name, String(value)]),
    ).toString()
    const response = await this.send({
      method,
      path: method === 'GET' && query !== '' ? `${path}?${query}` : path,
      ...(method === 'POST' && { body: { ...Object.fromEntries(others), ...body } }),
    })
    if (response.status >= 400) throw new ToolError(refusalOf(route, response))
    return response.text
  }
}

/** Characters of a message that a server, or a proxy before it, sends with a refusal. */
const MAX_MESSAGE = 500

function refusalOf(route: Route, { status, text }: ApiResponse): string {
  return `The server refused ${route} with ${status}: ${messageOf(text).slice(0, MAX_MESSAGE)}`
}

function messageOf(text: string): string {
  try {
    const body = JSON.parse(text) as unknown
    if (!isRecord(body)) return text
    const message = body['message'] ?? body['error_description'] ?? body['error']
    return typeof message === 'string' ? message : JSON.stringify(message ?? body)
  } catch {
    // The page of a proxy, for example: its text is all that there is to show.
    return text
  }
}
