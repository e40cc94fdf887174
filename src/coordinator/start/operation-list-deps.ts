import type { FastifyRequest } from 'fastify'

import type { Caller, User } from '../access/caller.js'
import type { PushDeps } from '../hosting/repositories/push/handle-push.js'
import type { Authenticator } from '../http/authentication/authenticator.js'
import type { LoginGuard } from '../http/authentication/login-guard.js'
import type { OperationDeps } from '../http/handle-operation.js'
import type { McpDeps } from '../mcp/operations.js'

/** What operations share with the rest of the HTTP app, apart from the services. */
export interface OperationListDeps extends Pick<OperationDeps, 'findProject' | 'projectAccessOf'> {
  externalUrl: string
  /** ID of the build of the pages. */
  build: string
  /** Aborts when held job requests must be served. */
  stopping: AbortSignal
  /** Limits the guessing of credentials from an address. */
  guardOf: (address: string) => LoginGuard
  authenticator: Authenticator
  findUser: (idOrName: string) => Promise<User | undefined>
  pushes: PushDeps
  /** Serves a request as if a client had sent it. */
  inject: McpDeps['inject']
  /** The caller of a request as of now. Throws 401 or 403 if its credential is no longer valid. */
  readCaller: (request: FastifyRequest) => Promise<Caller>
}
