import { isDeepStrictEqual } from 'node:util'

import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'

import { DEFAULT_PIPELINE_LIMITS } from '../../../../src/coordinator/ci/engine/pipeline-limits.js'
import type { Database, DialectName } from '../../../../src/coordinator/database/connect.js'
import {
  changedPlanLimits,
  PLAN_LIMITS,
  type PlanLimit,
  type PlanLimits,
  setPlanLimits,
} from '../../../../src/coordinator/database/stores/plan-limit-store.js'
import type { Operation } from '../../../../src/coordinator/http/operation.js'
import type { CoordinatorSettings } from '../../../../src/coordinator/start/config/settings.js'
import { listOperations } from '../../../../src/coordinator/start/operations/operations.js'
import type { Services } from '../../../../src/coordinator/start/services/services.js'
import type { OpenDatabase } from '../../../support/databases.js'
import { declaredOperations } from '../../support/declared-operations.js'
import { setSettings } from '../../support/set-settings.js'
import { addPerson, type Person } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'
import { BODIES, Sent } from './bodies.js'
import type { Scene } from './scene.js'
import { keyOf } from './things.js'

/** A response, and the error behind it. */
export interface Told {
  /** `POST /projects/7/star`. */
  call: string
  status: number
  body: string
  error: Error | undefined
}

/** A call that is ready to be made. */
export type Call = () => Promise<Told>

let names = 0

/** A name that nothing has yet. */
export function freshName(): string {
  return `n${++names}`
}

/** The scenes ask as often as they can. */
const ASKS_OFTEN = { notes_create_limit: 0, search_rate_limit: 0, users_get_by_id_limit: 0 }

/** They make as much as they can. */
const NO_LIMITS: PlanLimits = {
  ...PLAN_LIMITS,
  ci_instance_level_variables: 0,
  ci_project_subscriptions: 0,
  ci_pipeline_schedules: 0,
  ci_registered_group_runners: 0,
  ci_registered_project_runners: 0,
}

/** An app with every operation, over a store of its own, and an administrator. It is closed when the test is over. */
export class World {
  private readonly errors = new Map<string, Error>()

  private constructor(
    private readonly app: FastifyInstance,
    readonly database: Database,
    readonly operations: Operation[],
    readonly root: Person,
    readonly dialect: DialectName,
    /** The data folder. */
    readonly folder: string,
    readonly instanceSettings: Services['instanceSettings'],
  ) {
    app.addHook('onError', (request, _reply, error, done) => {
      this.errors.set(String(request.headers['x-call']), error)
      done()
    })
  }

  static async open(
    openDatabase: OpenDatabase,
    more: Partial<Pick<CoordinatorSettings, 'deletionAdjournedPeriod'>> = {},
  ): Promise<World> {
    const services = await openTestServices({
      open: openDatabase,
      settings: {
        egress: { allowLocalNetwork: true },
        rateLimits: { authenticated: 0, unauthenticated: 0, failedAuthentications: 0, archives: 0 },
        ...more,
      },
    })
    await setSettings(services, ASKS_OFTEN)
    await setPlanLimits(services.database, NO_LIMITS)
    services.engine.limits = { ...DEFAULT_PIPELINE_LIMITS, pipelinesPerMinute: 0 }
    const { database, settings, instanceSettings } = services
    const { dialect } = settings.database
    const { app } = openTestApp(services, { operations: listOperations, checkResponses: false })
    // What a power cut loses is of no interest here.
    if (dialect === 'sqlite') await sql`pragma synchronous = off`.execute(database)
    const root = await addPerson(database, 'root', { admin: true })
    const operations = await declaredOperations()
    return new World(app, database, operations, root, dialect, settings.dataDir, instanceSettings)
  }

  /** Makes the settings of the instance what they were at first, for what comes after an operation that has changed them. */
  async resetSettings(): Promise<void> {
    const { database } = this
    const limits = await changedPlanLimits(database, ...(Object.keys(PLAN_LIMITS) as PlanLimit[]))
    if (!isDeepStrictEqual(limits, NO_LIMITS)) await setPlanLimits(database, NO_LIMITS)
    const stored = await database.selectFrom('application_setting').select(['name', 'value']).execute()
    const values = stored.map(({ name, value }) => [name, JSON.parse(value ?? 'null') as unknown])
    if (isDeepStrictEqual(Object.fromEntries(values), ASKS_OFTEN)) return
    await database.deleteFrom('application_setting').execute()
    await setSettings(this, ASKS_OFTEN)
  }

  addPerson(username: string): Promise<Person> {
    return addPerson(this.database, username)
  }

  /** Somebody of that name in a scene, the same one each time. */
  person(scene: Scene, name: string): Promise<Person> {
    const person = scene.people.get(name) ?? this.addPerson(`p-${name}`)
    scene.people.set(name, person)
    return person
  }

  async call(as: Person, method: string, path: string, body: object = {}): Promise<Told> {
    const id = freshName()
    const sent =
      body instanceof Sent ? body : new Sent(JSON.stringify(body), { 'content-type': 'application/json' })
    const headers = { 'private-token': as.token, ...sent.headers, 'x-call': id }
    const response = await this.request(method, `/api/v4${path}`, headers, sent.payload)
    const error = this.errors.get(id)
    this.errors.delete(id)
    return { call: `${method} ${path}`, status: response.statusCode, body: response.body, error }
  }

  /** A request to any address of the server, with its whole response. */
  request(
    method: string,
    url: string,
    headers: Record<string, string> = {},
    payload?: Sent['payload'],
  ): Promise<LightMyRequestResponse> {
    return this.app.inject({
      method: method as 'POST',
      url,
      headers,
      ...(payload !== undefined && { payload }),
    })
  }

  /** A call that must work; its record. */
  async make<T = { id: number; token: string }>(
    as: Person,
    method: string,
    path: string,
    body?: object,
  ): Promise<T> {
    const told = await this.call(as, method, path, body)
    if (told.status >= 400) throw new Error(tellOf(told), { cause: told.error })
    return JSON.parse(told.body || '{}') as T
  }

  /** Makes ready to call an operation in a scene, with the things that it is about; those of one name are the same ones. */
  async prepare(scene: Scene, operation: Operation, name: string): Promise<Call> {
    const { as, parts, body } = await this.prepareRequest(scene, operation, name)
    const path = addressOf(operation, parts)
    return () => this.call(as, operation.method, path, body)
  }

  /** As `prepare`, in its parts. */
  async prepareRequest(scene: Scene, operation: Operation, name: string): Promise<PreparedRequest> {
    const parts = await this.partsOf(scene, operation, name)
    const body = await BODIES[routeOf(operation)]?.(scene, name, this)
    return { as: await this.callerOf(scene, operation, name), parts, body }
  }

  /** Calls an operation, which must work; its record. */
  async makeBy<T = { id: number; token: string }>(scene: Scene, route: string, name: string): Promise<T> {
    const operation = this.operation(route)
    const address = addressOf(operation, await this.partsOf(scene, operation, name))
    return this.makeAt<T>(scene, route, address, name)
  }

  /** As `makeBy`, for a call that may be refused. */
  async tryBy(scene: Scene, route: string, name: string): Promise<Told> {
    const call = await this.prepare(scene, this.operation(route), name)
    return call()
  }

  /** As `tryBy`, at this very address. */
  async makeAt<T>(scene: Scene, route: string, path: string, name: string): Promise<T> {
    const operation = this.operation(route)
    const body = await BODIES[route]?.(scene, name, this)
    return this.make<T>(await this.callerOf(scene, operation, name), operation.method, path, body)
  }

  private operation(route: string): Operation {
    const operation = this.operations.find((each) => routeOf(each) === route)
    if (!operation) throw new Error(`There is no ${route}`)
    return operation
  }

  /** Who may call an operation. */
  private async callerOf(scene: Scene, { access, method, path }: Operation, name: string): Promise<Person> {
    const isOwn = path.startsWith('/personal_access_tokens/self')
    if (isOwn || (method === 'POST' && path.endsWith('/access_requests'))) return this.person(scene, name)
    return access === 'administrator' ? this.root : scene.user
  }

  /** The parts of the path of an operation, encoded. */
  private async partsOf(scene: Scene, operation: Operation, name: string): Promise<PathPart[]> {
    const route = routeOf(operation)
    const parts: PathPart[] = []
    let path = ''
    for (const part of operation.path.split('/').slice(1)) {
      const above = parts.map(({ text }) => `/${text}`).join('')
      path += `/${part}`
      const isThing = /^[:*]/.test(part)
      const key = isThing ? await keyOf(this, scene, { path, above, name, route }) : part
      parts.push(isThing ? { text: encodeURIComponent(key), parameter: part.slice(1) } : { text: part })
    }
    return parts
  }
}

/** What an operation is called with. */
export interface PreparedRequest {
  as: Person
  parts: PathPart[]
  body: object | undefined
}

export interface PathPart {
  /** Encoded. */
  text: string
  /** The parameter that it is the value of. */
  parameter?: string
}

export function addressOf(operation: Operation, parts: PathPart[]): string {
  const address = parts.map(({ text }) => `/${text}`).join('')
  return routeOf(operation) === 'PUT /jobs/:id/cache' ? `${address}?key=k` : address
}

export function routeOf({ method, path }: Operation): string {
  return `${method} ${path}`
}

/** Of a failure. */
export function tellOf({ call, status, body, error }: Told): string {
  const detail = error && 'detail' in error ? `\n${String(error.detail)}` : ''
  return `${call}: ${status} ${body.slice(0, 300)}\n${error?.stack ?? ''}${detail}`
}
