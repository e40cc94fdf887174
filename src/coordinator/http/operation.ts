import type { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TSchema, Type } from 'typebox'

import type { Caller, Group, Project, User } from '../access/caller.js'
import type { Access, GroupPermission, ProjectPermission } from '../access/permissions.js'
import type { AuditDetails } from '../database/tables/audit-events.js'
import type { AuditedCall } from './audited-call.js'
import type { Paging } from './page.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Written as a literal, so that a search for the path finds the code: `GET /projects/:id/jobs/:job_id`. */
export type Route = `${Method} /${string}`

/** Allows a list of any length to be read by keyset (API, A7). */
export interface KeysetRules {
  /** The kind of the listed objects in error messages: `Project`. */
  of: string
  /**
   * Columns that clients may order by; the first is the default. Either in both directions, or in one: `name
   * asc`.
   */
  orders: readonly string[]
}

/** The arguments of every `run`. */
export interface BaseCall<Params> {
  params: Params
  caller: Caller
  paging: Paging
  request: FastifyRequest
  reply: FastifyReply
}

export type Call<A extends Access, Params> = BaseCall<Params> &
  (A extends 'user' | 'administrator' ? { user: User } : unknown) &
  (A extends ProjectPermission
    ? {
        project: Project
        user: User | undefined
        /** Effective level. */ accessLevel: number
        /** The access level from membership alone. */
        membership: number
      }
    : unknown) &
  (A extends GroupPermission
    ? { group: Group; user: User | undefined; /** Effective level. */ accessLevel: number }
    : unknown)

/** The schema of a response without a body, such as 204. */
export const NoBody = Type.Null({ description: 'No body' })

/**
 * Success statuses with their bodies; the first is used for a plain result. A status without a body has
 * `NoBody`.
 */
type Responses = Record<number, TSchema>

interface Changes<Before> {
  /** Names in the record that is served. */
  attributes: readonly string[]
  /** The record before the change; by default the row of the project or group. */
  before?: Before
}

/** Which parameters go together, by their names (API, A4). */
export interface Combinations {
  /** At most one parameter of each group may be set. */
  exclusive?: readonly (readonly string[])[]
  /** At least one parameter of each group must be set. */
  atLeastOne?: readonly (readonly string[])[]
  /** Exactly one parameter of each group must be set. */
  exactlyOne?: readonly (readonly string[])[]
  /** All parameters of a group must be set, or none. */
  allOrNone?: readonly (readonly string[])[]
  /** Parameters that require another one, by name: `{ entity_id: 'entity_type' }`. */
  needs?: Readonly<Record<string, string>>
}

export interface Declaration<A extends Access, P extends TObject> extends Combinations {
  summary: string
  access: A
  /** Everything but `:id` of a project or group: from path, query and body alike (API, A5). */
  params?: P
  responses: Responses
  /** Job tokens are accepted as a caller's credential. */
  jobToken?: true
  /** Scopes of a personal access token that suffice besides `api`, and `read_api` for reading (API, A2). */
  scopes?: readonly string[]
  /**
   * `stream`: the body stays unread in `request.raw` (uploads of jobs, traces). Default: parsed into
   * `params`. An operation with a file among its `params` reads a multipart body only after it has
   * authenticated the caller, so that anonymous clients cannot fill the disk. The credential must then be in
   * a header or the query.
   */
  body?: 'parameters' | 'stream'
  /** Maximum size of a parsed body in bytes, instead of 4 MiB; only for callers with a valid credential. */
  maxBodyBytes?: number
  /**
   * Whether path and query contain a valid token of a kind that only this operation accepts. Without one, and
   * without a credential, a parsed body may have at most 64 KiB.
   */
  identifies?: (given: Readonly<Record<string, unknown>>) => Promise<boolean>
  /** Adds `page` and `per_page`; `run` returns `page(...)`. */
  paginated?: true
  /**
   * Also supports keyset pagination, which `pageOf` applies; skipping more than 50,000 rows is then refused.
   */
  keyset?: KeysetRules
  /** Maximum calls per user, or per address without a credential, in addition to the general limits. */
  limit?: { perMinute: number }
  /**
   * For GET: the response depends only on the parameters, the caller, the store, the clock in seconds, and
   * immutable data (a commit by its SHA). It depends on no header and no in-memory state. A function decides
   * this by the parameters. The same caller may then receive a cached response until the store changes
   * (`ResponseCache`).
   */
  cacheable?: true | ((params: Static<P>) => boolean)
  /**
   * For a path without parameters: a response without a body that has a time `repeatableUntil` depends only on the request
   * and the store until then. Equal requests of anonymous callers receive it again until the store changes
   * (`RepeatedResponses`).
   */
  repeatable?: true
  /**
   * Browser sessions are asked for the password or a token again, if the user has not given one recently: 403. A function
   * decides this by the parameters.
   */
  needsConfirmation?: true | ((params: Static<P>) => boolean)
  /** Not a GET, but changes nothing, so it is not audited. */
  changesNothing?: true
  /** Changes only marks that nobody but the caller sees, so it is not audited. */
  changesOwnMarks?: true
  /**
   * Extra details for the audit trail, beside those derived from the declaration; never a secret. `record` is
   * the response body; it is empty while the call runs.
   */
  audit?: (call: AuditedCall, record: Record<string, unknown>) => AuditDetails
  /** Attributes for which the audit trail records the old and the new value. */
  changes?: Changes<(call: Call<A, Static<P>>) => Promise<unknown>>
  /**
   * For DELETE: the time of the last change of the record, in milliseconds since 1970. With
   * `If-Unmodified-Since`, a record that was changed later is not deleted: 412.
   */
  modifiedAt?: (call: Call<A, Static<P>>) => Promise<number>
  /** A result object is sent as the first status of `responses`; see also `respond`, `page` and `stream`. */
  run: (call: Call<A, Static<P>>) => Promise<unknown>
}

/** An operation with its types erased, as `http/` registers it. */
export interface Operation extends Omit<
  Declaration<Access, TObject>,
  'run' | 'changes' | 'cacheable' | 'modifiedAt' | 'needsConfirmation'
> {
  cacheable?: true | ((params: never) => boolean)
  needsConfirmation?: true | ((params: never) => boolean)
  changes?: Changes<(call: never) => Promise<unknown>>
  modifiedAt?: (call: never) => Promise<number>
  method: Method
  /**
   * Path below `/api/v4`, for example `/projects/:id/jobs/:job_id`. A trailing `*name` matches literal
   * slashes.
   */
  path: string
  run: (call: never) => Promise<unknown>
}

/** Declares an operation: `operation('GET /projects/:id', { access, params, responses, run })`. */
export function operation<A extends Access, P extends TObject>(
  route: Route,
  declaration: Declaration<A, P>,
): Operation {
  const [method, path] = route.split(' ') as [Method, string]
  return { ...declaration, method, path }
}

/** A response with a status other than the first, or with headers. */
export class ApiResponse {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Record<string, string> = {},
    /** See `repeatable`; milliseconds since 1970. Undefined = the response is not repeated. */
    readonly repeatableUntil?: number,
  ) {}
}

export function respond(
  status: number,
  body?: unknown,
  headers?: Record<string, string>,
  repeatableUntil?: number,
): ApiResponse {
  return new ApiResponse(status, body, headers, repeatableUntil)
}

/** Bytes that are not JSON: a log, an archive, a file of an archive. */
export class StreamResponse {
  constructor(
    readonly body: Readable,
    readonly contentType: string,
    readonly headers: Record<string, string> = {},
    readonly status: number = 200,
  ) {}
}

export function stream(
  body: Readable,
  contentType: string,
  headers?: Record<string, string>,
): StreamResponse {
  return new StreamResponse(body, contentType, headers)
}
