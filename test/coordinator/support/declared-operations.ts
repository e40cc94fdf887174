import { Authenticator } from '../../../src/coordinator/http/authentication/authenticator.js'
import type { Operation } from '../../../src/coordinator/http/operation.js'
import { listOperations } from '../../../src/coordinator/start/operations/operations.js'
import { pushDeps } from '../../../src/coordinator/start/services/push-deps.js'
import { openTestServices } from './test-coordinator.js'

/** The declarations of every operation of a coordinator. They cannot be called, because their services end with the test. */
export async function declaredOperations(): Promise<Operation[]> {
  const services = await openTestServices()
  return listOperations(services, {
    externalUrl: services.engine.server.externalUrl,
    stopping: new AbortController().signal,
    findProject: async () => undefined,
    guardOf: () => ({ check: () => {}, failed: async () => {}, refused: async () => {}, accepted: () => {} }),
    authenticator: new Authenticator(services.database),
    findUser: async () => undefined,
    projectAccessOf: async () => ({ membership: 0, ownsNamespace: false }),
    pushes: pushDeps(services),
    inject: async () => ({ status: 404, text: '' }),
    build: 'test',
    readCaller: async () => ({ kind: 'anonymous' }),
  })
}
