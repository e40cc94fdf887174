import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { RegisterRunner, RunnerCredentials, VerifyRunner } from '../../../protocol/runner-registration.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { forbidden, invalidParameters, notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import { countTakeable } from '../queue/count-takeable.js'
import { loadRunnerProfile } from '../queue/runner-profile.js'
import type { RunnerContacts } from './contacts.js'
import { registerRunner, resetAuthenticationToken, runnerCredentials } from './register-runner.js'
import { NewToken, OwnQueue } from './schema.js'
import { deleteManager, deleteRunnerRow, findRunnerByToken, type Runner } from './store.js'

export interface RunnerSideDeps {
  database: Database
  secrets: SecretBox
  contacts: RunnerContacts
}

const RUNNER_TOKEN_HEADER = 'runner-token'

/** Runners of the newer kind send their token in a header too; body-only and header-only clients are both served. */
const TokenInBodyOrHeader = Type.Object({
  token: described(
    Type.Optional(Type.String()),
    'Authentication token of the runner, if not sent in the header `RUNNER-TOKEN`.',
  ),
})

/** The operations with which a runner process verifies and manages itself (runner protocol, 1.4). */
export function runnerSideOperations({ database, secrets, contacts }: RunnerSideDeps): Operation[] {
  return [
    operation('POST /runners', {
      summary: 'Register a runner with a registration token',
      access: 'anyone',
      params: RegisterRunner,
      exclusive: [['active', 'paused']],
      responses: { 201: RunnerCredentials },
      run: async ({ params: { token, info, ...settings }, request }) => {
        const credentials = await registerRunner({ database, secrets }, token, settings)
        if (info) await contacts.recordRegistration(credentials.id, info, request.ip)
        return credentials
      },
    }),
    operation('POST /runners/verify', {
      summary: 'Verify the authentication token of a runner',
      access: 'anyone',
      params: Type.Object({ ...VerifyRunner.properties, ...TokenInBodyOrHeader.properties }),
      responses: { 200: RunnerCredentials },
      run: async ({ params, request }) => {
        const { runner, token } = await authenticate(params.token, request)
        const { system_id: systemId, info } = params
        await contacts.record({ runnerId: runner.id, systemId, info, ip: request.ip })
        return runnerCredentials(runner, token)
      },
    }),
    operation('DELETE /runners', {
      summary: 'Delete a runner by its authentication token',
      access: 'anyone',
      params: TokenInBodyOrHeader,
      responses: { 204: NoBody },
      run: async ({ params, request }) => {
        const { runner } = await authenticate(params.token, request)
        await deleteRunnerRow(database, runner.id)
      },
    }),
    operation('DELETE /runners/managers', {
      summary: 'Delete a runner manager',
      access: 'anyone',
      params: Type.Object({
        ...TokenInBodyOrHeader.properties,
        system_id: described(Type.String(), 'System ID of the runner manager.'),
      }),
      responses: { 204: NoBody },
      run: async ({ params, request }) => {
        const { runner } = await authenticate(params.token, request)
        if (!(await deleteManager(database, runner.id, params.system_id))) throw notFound('Runner manager')
      },
    }),
    operation('POST /runners/reset_authentication_token', {
      summary: 'Reset the token of the calling runner',
      access: 'anyone',
      params: TokenInBodyOrHeader,
      responses: { 201: NewToken },
      run: async ({ params, request }) => {
        const { runner } = await authenticate(params.token, request)
        return resetAuthenticationToken(database, runner)
      },
    }),
    operation('GET /runners/queue/own', {
      summary: 'Count the waiting jobs that the calling runner may take',
      access: 'anyone',
      params: Type.Object({
        system_id: described(Type.Optional(Type.String()), 'System ID of the runner manager.'),
      }),
      responses: { 200: OwnQueue },
      run: async ({ params, request }) => {
        const { runner } = await authenticate(undefined, request)
        // A runner without machines asks for no job. It is online all the same.
        await contacts.record({ runnerId: runner.id, systemId: params.system_id, ip: request.ip })
        return { count: await countTakeable(database, await loadRunnerProfile(database, runner)) }
      },
    }),
    operation('GET /runners/router/discovery', {
      summary: 'Discover the job router; not available on this server',
      access: 'anyone',
      responses: { 501: Type.Object({ message: described(Type.String(), '`501 Not Implemented`.') }) },
      run: async () => respond(501, { message: '501 Not Implemented' }),
    }),
  ]

  async function authenticate(
    inBody: string | undefined,
    request: FastifyRequest,
  ): Promise<{ runner: Runner; token: string }> {
    const token = inBody ?? request.headers[RUNNER_TOKEN_HEADER]
    if (typeof token !== 'string') throw invalidParameters('token is missing')
    const runner = await findRunnerByToken(database, token)
    if (!runner) throw forbidden()
    return { runner, token }
  }
}
