import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { request } from 'undici'

import { messageOf, SwitchyardError } from '../../../lib/errors.js'
import { readAtMost, TooManyBytesError } from '../../../lib/read-at-most.js'
import { VERSION } from '../../../lib/version.js'
import type { ApiRequest, ApiResponse } from '../../../mcp/api.js'
import { createMcpServer } from '../../../mcp/mcp-server.js'
import { ToolError } from '../../../mcp/tool-error.js'
import { isSafeForTokens } from '../../working-directory/outside/server-address.js'

/** Maximum size of a response of the API, in bytes. */
const MAX_RESPONSE = 16 * 1024 * 1024

class NoTokenError extends SwitchyardError {
  readonly name = 'NoTokenError'
  readonly code = 'NO_TOKEN'

  constructor() {
    super('Give a token with the scope mcp in SWITCHYARD_TOKEN.')
  }
}

class UnsafeServerError extends SwitchyardError {
  readonly name = 'UnsafeServerError'
  readonly code = 'UNSAFE_SERVER'

  constructor(server: string) {
    super(`A token would be sent to ${server} unencrypted. Use its https address.`)
  }
}

/**
 * Serves tools until standard input ends.
 * @throws NoTokenError, UnsafeServerError
 */
export async function serveTools(server: string, token: string | undefined): Promise<void> {
  if (token === undefined || token === '') throw new NoTokenError()
  if (!isSafeForTokens(new URL(server))) throw new UnsafeServerError(server)
  const tools = createMcpServer((call) => send(server, token, call))
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve))
  await tools.connect(new StdioServerTransport())
  await ended
  await tools.close()
}

async function send(server: string, token: string, { method, path, body }: ApiRequest): Promise<ApiResponse> {
  try {
    const response = await request(`${server}/api/v4${path}`, {
      method,
      headers: {
        'private-token': token,
        'user-agent': `switchyard-mcp/${VERSION}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    })
    return { status: response.statusCode, text: (await readAtMost(response.body, MAX_RESPONSE)).toString() }
  } catch (cause) {
    if (cause instanceof TooManyBytesError)
      throw new ToolError(`The response of ${server} is larger than ${MAX_RESPONSE} bytes: ask for less.`, {
        cause,
      })
    throw new ToolError(`${server} does not respond: ${messageOf(cause)}`, { cause })
  }
}
