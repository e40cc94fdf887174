import { Readable } from 'node:stream'

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { readAtMost, TooManyBytesError } from '../../lib/read-at-most.js'
import type { ApiRequest, ApiResponse } from '../../mcp/api.js'
import { asAgent } from '../http/agent-calls.js'
import { MCP_SCOPE } from '../http/authentication/scopes.js'
import { ApiError, apiError } from '../http/errors.js'
import { NoBody, type Operation, operation, respond, StreamResponse } from '../http/operation.js'

/** Maximum size of a message, in bytes: a CI file and what is around it. */
const MAX_MESSAGE = 2 * 1024 * 1024
const CALLS_PER_MINUTE = 120

/** Headers of a request that say for whom it is made; the calls of its tools are made with the same ones. */
const CREDENTIALS = ['authorization', 'private-token', 'cookie', 'x-csrf-token', 'origin', 'sudo'] as const

export interface McpDeps {
  /** Serves a request of this process as if a client had sent it from this address. */
  inject: (request: InnerRequest) => Promise<ApiResponse>
}

interface InnerRequest extends ApiRequest {
  headers: Record<string, string>
  address: string
}

/**
 * The tools of the Model Context Protocol over HTTP (MCP, Transports, Streamable HTTP), without sessions: any coordinator
 * may serve any request. Each call of a tool is one of operations, with the credential of the request: their rules of
 * access, rate limits and audit events hold.
 */
export function mcpOperations({ inject }: McpDeps): Operation[] {
  return [
    operation('POST /mcp', {
      summary: 'Call tools over the Model Context Protocol',
      access: 'user',
      scopes: [MCP_SCOPE],
      body: 'stream',
      // The operations that the tools call are audited.
      changesNothing: true,
      limit: { perMinute: CALLS_PER_MINUTE },
      responses: {
        200: Type.Unknown({ description: 'A message of JSON-RPC 2.0, or a list of them' }),
        202: NoBody,
      },
      run: async ({ request }) => {
        const body = await readBody(request)
        const send = (call: ApiRequest) =>
          inject({ ...call, headers: credentialsOf(request), address: request.ip })
        const response = await asAgent(request, () => answer(request, body, send))
        const text = await response.text()
        const type = response.headers.get('content-type')
        if (text === '' || type === null) return respond(response.status)
        return new StreamResponse(Readable.from([text]), type, {}, response.status)
      },
    }),
  ]
}

async function answer(
  request: FastifyRequest,
  body: unknown,
  send: (call: ApiRequest) => Promise<ApiResponse>,
): Promise<Response> {
  // Loaded when it is called for the first time: most coordinators never need it.
  const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import('../../mcp/mcp-server.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ])
  const server = createMcpServer(send)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const { accept = '', 'mcp-protocol-version': version } = request.headers
    const headers = new Headers({ accept, 'content-type': 'application/json' })
    if (typeof version === 'string') headers.set('mcp-protocol-version', version)
    // The address is not read: the router has found this operation.
    const asked = new Request('http://localhost/', { method: 'POST', headers })
    return await transport.handleRequest(asked, { parsedBody: body })
  } finally {
    await server.close()
  }
}

async function readBody({ raw }: FastifyRequest): Promise<unknown> {
  const bytes = await readAtMost(raw, MAX_MESSAGE).catch((error: unknown) => {
    throw error instanceof TooManyBytesError ? apiError('body_too_large') : error
  })
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch {
    throw new ApiError('malformed_request', { error: 'The body is not JSON.' })
  }
}

function credentialsOf({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    CREDENTIALS.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}
