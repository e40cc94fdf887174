import type { FastifyInstance, LightMyRequestResponse } from 'fastify'

import { createUser } from '../../../src/coordinator/accounts/users/account/create-user.js'
import { createToken } from '../../../src/coordinator/accounts/users/tokens/tokens.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { listAccountsOperations } from '../../../src/coordinator/start/operations/accounts.js'
import { listSessionsOperations } from '../../../src/coordinator/start/operations/sessions.js'
import type { Services } from '../../../src/coordinator/start/services/services.js'
import { makeChecksCheap } from '../support/cheap-passwords.js'
import { addPerson, EXTERNAL_URL, type Person, type TestApp } from '../support/test-app.js'
import { openTestApp, openTestServices, type TestServicesOptions } from '../support/test-coordinator.js'

export const PASSWORD = 'correct horse battery'

export interface SignInScene extends TestApp {
  database: Database
  services: Services
  root: Person
  /** Has `PASSWORD`. */
  mary: Person
  visitor: () => Visitor
}

/** A coordinator with the operations on accounts and sessions, an administrator and a user with a password. */
export async function openSignInScene(options: TestServicesOptions = {}): Promise<SignInScene> {
  const services = await openTestServices(options)
  const { database } = services
  const testApp = openTestApp(services, {
    operations: (...deps) => [...listAccountsOperations(...deps), ...listSessionsOperations(...deps)],
  })
  const root = await addPerson(database, 'root', { admin: true })
  const user = await createUser(database, {
    username: 'mary',
    name: 'Mary Major',
    email: 'mary@example.com',
    password: PASSWORD,
  })
  await makeChecksCheap(database, PASSWORD)
  const { token } = await createToken(database, {
    user_id: user.id,
    name: 'test',
    scopes: ['api'],
    expires_at: null,
  })
  const { externalUrl = EXTERNAL_URL } = options
  const visitor = () => new Visitor(testApp.app, externalUrl)
  const call = testApp.call.bind(testApp)
  return Object.assign(testApp, { call, database, services, root, mary: { ...user, token }, visitor })
}

type Fields = Record<string, string>

/** A browser without scripts: it keeps cookies and sends forms with their hidden fields. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  /** Attributes of the cookies, by name. */
  readonly attributes = new Map<string, string>()
  private readonly origin: string
  private page: LightMyRequestResponse | undefined

  constructor(
    private readonly app: FastifyInstance,
    externalUrl: string,
  ) {
    this.origin = new URL(externalUrl).origin
  }

  get cookieHeader(): Record<string, string> {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    return pairs.length === 0 ? {} : { cookie: pairs.join('; ') }
  }

  async get(path: string): Promise<LightMyRequestResponse> {
    this.page = this.keep(await this.app.inject({ url: path, headers: this.cookieHeader }))
    return this.page
  }

  /** Sends the form of the page that was opened last, with these fields. */
  submit(
    path: string,
    fields: Fields = {},
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    return this.post(path, { ...hiddenFields(this.page?.body ?? ''), ...fields }, headers)
  }

  async post(
    path: string,
    fields: Fields,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    const page = { origin: this.origin, 'sec-fetch-site': 'same-origin' }
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.keep(
      await this.app.inject({
        method: 'POST',
        url: path,
        headers: { ...type, ...page, ...this.cookieHeader, ...headers },
        payload: new URLSearchParams(fields).toString(),
      }),
    )
  }

  async signIn(fields: Fields, query = ''): Promise<LightMyRequestResponse> {
    await this.get(`/users/sign_in${query}`)
    return this.submit('/users/sign_in', fields)
  }

  /** The name of the user of the session; the status of the refusal without one. */
  async name(): Promise<string | number> {
    const response = await this.app.inject({ url: '/api/v4/user', headers: this.cookieHeader })
    return response.statusCode === 200 ? response.json<{ username: string }>().username : response.statusCode
  }

  private keep(response: LightMyRequestResponse): LightMyRequestResponse {
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
      if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
      this.attributes.set(name, attributes)
    }
    return response
  }
}

function hiddenFields(page: string): Fields {
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, unescape(value)]))
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
