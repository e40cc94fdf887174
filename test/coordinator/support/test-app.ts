import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'

import type { User } from '../../../src/coordinator/access/caller.js'
import { allowsJobTokensOf } from '../../../src/coordinator/access/job-token-allowlist.js'
import { createAuditTrail } from '../../../src/coordinator/accounts/audit-events/store.js'
import { createGroupDirectory } from '../../../src/coordinator/accounts/groups/group-directory.js'
import { createUser } from '../../../src/coordinator/accounts/users/account/create-user.js'
import { createToken } from '../../../src/coordinator/accounts/users/tokens/tokens.js'
import { SecretBox } from '../../../src/coordinator/crypto/secret-box.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { storeVersion } from '../../../src/coordinator/database/store-version.js'
import { createRedirectFinder } from '../../../src/coordinator/hosting/paths/redirects.js'
import {
  createProjectAccessReader,
  createProjectFinder,
} from '../../../src/coordinator/hosting/projects/find-project.js'
import { type AppDeps, createApp } from '../../../src/coordinator/http/app.js'
import { Authenticator } from '../../../src/coordinator/http/authentication/authenticator.js'
import { createMetrics } from '../../../src/coordinator/http/metrics.js'
import type { Operation } from '../../../src/coordinator/http/operation.js'
import { UploadSpool } from '../../../src/coordinator/http/parameters/upload-spool.js'
import { DEFAULT_RATE_LIMITS, RateLimits } from '../../../src/coordinator/http/rate-limits/rate-limits.js'
import { RepeatedResponses } from '../../../src/coordinator/http/repeated-responses.js'
import { ResponseCache } from '../../../src/coordinator/http/response-cache.js'
import { createLogger } from '../../../src/lib/logger.js'
import { onFinished } from '../../support/lifetime.js'

export const EXTERNAL_URL = 'http://switchyard.example'

export interface Person extends User {
  token: string
}

/** The HTTP app with a store. Every response is checked against its declaration. Closed after the test. */
export function openApp(
  database: Database,
  operations: Operation[],
  more: Partial<
    Pick<
      AppDeps,
      | 'plugins'
      | 'checkReady'
      | 'checkResponses'
      | 'bodySeconds'
      | 'bodyRate'
      | 'rateLimits'
      | 'responseCache'
      | 'repeatedResponses'
      | 'trustedProxies'
      | 'metricsAddresses'
    >
  > = {},
): TestApp {
  const spool = join(tmpdir(), `switchyard-test-spool-${randomBytes(6).toString('hex')}`)
  const app = createApp({
    operations,
    authenticator: new Authenticator(database),
    findProject: createProjectFinder(database),
    projectAccessOf: createProjectAccessReader(database),
    allowsJobTokensOf: (project, jobProjectId) => allowsJobTokensOf(database, project, jobProjectId),
    groups: createGroupDirectory(database),
    moved: createRedirectFinder(database),
    externalUrl: EXTERNAL_URL,
    spool: new UploadSpool(spool),
    rateLimits: new RateLimits(DEFAULT_RATE_LIMITS),
    responseCache: new ResponseCache(() => storeVersion(database)),
    repeatedResponses: new RepeatedResponses(() => storeVersion(database)),
    auditTrail: createAuditTrail(database),
    logger: createLogger('test', 'silent'),
    metrics: createMetrics(),
    checkReady: () => Promise.resolve(),
    checkResponses: true,
    ...more,
  })
  onFinished(async () => {
    await app.close()
    await rm(spool, { recursive: true, force: true })
  })
  return new TestApp(app, spool)
}

export class TestApp {
  constructor(
    readonly app: FastifyInstance,
    /** The folder for the files of running requests. */
    readonly spool: string,
  ) {}

  /** Calls `GET /projects` and the like as a user, or without credentials. */
  call(as: Person | undefined, route: string, body?: object): Promise<LightMyRequestResponse> {
    const [method, path] = route.split(' ', 2)
    return this.app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: `/api/v4${path}`,
      ...(as ? { headers: { 'private-token': as.token } } : {}),
      ...(body ? { payload: body } : {}),
    })
  }
}

/** A user with a token that has all rights of the user. */
export async function addPerson(
  database: Database,
  username: string,
  options: { admin?: boolean; scopes?: string[]; expires_at?: number } = {},
): Promise<Person> {
  const user = await createUser(database, {
    username,
    name: username,
    email: `${username}@example.com`,
    admin: options.admin,
  })
  const { token } = await createToken(database, {
    user_id: user.id,
    name: 'test',
    scopes: options.scopes ?? ['api'],
    expires_at: options.expires_at ?? null,
  })
  return { ...user, token }
}

export function testSecrets(): SecretBox {
  return new SecretBox(randomBytes(32))
}
