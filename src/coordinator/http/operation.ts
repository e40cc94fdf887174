import type { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TSchema, Type } from 'typebox'

import type { Caller, Group, Project, User } from '../access/caller.js'
import type { Access, GroupPermission, ProjectPermission } from '../access/permissions.js'
import type { AuditDetails } from '../database/tables/audit-events.js'
import type { AuditedCall } from './audited-call.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Written out as a literal, so that the path of a request is found in the code: `GET /projects/:id/jobs/:job_id`. */
export type Route = `${Method} /${string}`

/** That a list may be read by keyset, however long it is (API, A7). */
export interface KeysetRules {
  /** What the list is of, as an error names it: `Project`. */
  of: string
  /** Columns to order by, the first one unless the client says otherwise; both ways, or one of them: `name asc`. */
  orders: readonly string[]
}

/** Where in a list a page begins. */
export interface Keyset {
  /** A column of the list's own table. */
  column: string
  direction: 'asc' | 'desc'
  /** The last row that was shown; undefined = the list begins here. `value` is absent where `column` is the id. */
  after: { value?: string | number; id: number } | undefined
}

export interface Paging {
  page: number
  perPage: number
  /** Rows to skip: `(page - 1) * perPage`. */
  offset: number
  /** Given instead of a page, where the operation allows it; `pageOf` knows what to do. */
  keyset?: Keyset
}

/** What every `run` receives. */
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
        /** The part of it that a membership gives. */
        membership: number
      }
    : unknown) &
  (A extends GroupPermission
    ? { group: Group; user: User | undefined; /** Effective level. */ accessLevel: number }
    : unknown)

/** The schema of an answer without a body, such as 204. */
export const NoBody = Type.Null({ description: 'No body' })

/**
 * Success statuses with their bodies; the first is used for a plain result. A status without a body has
 * `NoBody`.
 */
export type Answers = Record<number, TSchema>

export interface Changes<Before> {
  /** Names in the record that is answered. */
  attributes: readonly string[]
  /** The same record as it was; the row of the project or group where this is not given. */
  before?: Before
}

/** Which parameters go together, by their names (API, A4). */
export interface Combinations {
  /** Of each group at most one may be given. */
  exclusive?: readonly (readonly string[])[]
  /** Of each group at least one must be given. */
  atLeastOne?: readonly (readonly string[])[]
  /** Of each group exactly one must be given. */
  exactlyOne?: readonly (readonly string[])[]
  /** Each group must be given as a whole or not at all. */
  allOrNone?: readonly (readonly string[])[]
  /** What may be given only together with another one, by its name: `{ entity_id: 'entity_type' }`. */
  needs?: Readonly<Record<string, string>>
}

export interface Declaration<A extends Access, P extends TObject> extends Combinations {
  summary: string
  access: A
  /** Everything but `:id` of a project or group: from path, query and body alike (API, A5). */
  params?: P
  answers: Answers
  /** Job tokens are accepted as a caller's credential. */
  jobToken?: true
  /** Scopes of a personal access token that suffice besides `api`, and `read_api` for reading (API, A2). */
  scopes?: readonly string[]
  /**
   * `stream`: the body is left unread in `request.raw` (uploads of jobs, traces). Default: parsed into `params`. An
   * operation with a file among its `params` reads a multipart body after it has found out who is calling, so that
   * strangers fill no disk; the credential then comes in a header or the query.
   */
  body?: 'parameters' | 'stream'
  /** Bytes of a body that is parsed, instead of the usual 4 MiB; only of callers with a credential that holds. */
  maxBodyBytes?: number
  /**
   * Whether the path and query alone hold a valid token of the operation's own kind. Without one, and without a caller's
   * credential, a body that is parsed has at most 64 KiB.
   */
  identifies?: (given: Readonly<Record<string, unknown>>) => Promise<boolean>
  /** Adds `page` and `per_page`; `run` answers `page(...)`. */
  paginated?: true
  /** The list may also be read by keyset, which `pageOf` answers; skipping more than 50,000 rows is then refused. */
  keyset?: KeysetRules
  /** How often one user, or one address without a credential, may call it, beside the limits that hold for all. */
  limit?: { perMinute: number }
  /**
   * Of a GET: the answer is made of nothing but its parameters, the caller, the store, the clock by the second and what
   * never changes (a commit by its SHA), with these parameters at least; no header is read and no in-memory state. The same
   * caller may then be given it again until something is written (`ResponseCache`).
   */
  cacheable?: true | ((params: Static<P>) => boolean)
  /** It is no GET, yet leaves everything as it is, so it has no place in the audit trail. */
  changesNothing?: true
  /**
   * Extra details for the audit trail, beside those derived from the declaration; never a secret. `record` is
   * the response body; it is empty while the call runs.
   */
  audit?: (call: AuditedCall, record: Record<string, unknown>) => AuditDetails
  /** Attributes for which the audit trail records the old and the new value. */
  changes?: Changes<(call: Call<A, Static<P>>) => Promise<unknown>>
  /**
   * Of a DELETE: when its record was last changed, in milliseconds since 1970. A client may ask by `If-Unmodified-Since`
   * that a record which was changed later stays; 412 then.
   */
  modifiedAt?: (call: Call<A, Static<P>>) => Promise<number>
  /** A result object is sent as the first status of `answers`; see also `answer`, `page` and `stream`. */
  run: (call: Call<A, Static<P>>) => Promise<unknown>
}

/** An operation with its types erased, as `http/` registers it. */
export interface Operation extends Omit<
  Declaration<Access, TObject>,
  'run' | 'changes' | 'cacheable' | 'modifiedAt'
> {
  cacheable?: true | ((params: never) => boolean)
  changes?: Changes<(call: never) => Promise<unknown>>
  modifiedAt?: (call: never) => Promise<number>
  method: Method
  /** Below `/api/v4`, for example `/projects/:id/jobs/:job_id`. A trailing `*name` takes literal slashes. */
  path: string
  run: (call: never) => Promise<unknown>
}

/** Declares an operation: `operation('GET /projects/:id', { access, params, answers, run })`. */
export function operation<A extends Access, P extends TObject>(
  route: Route,
  declaration: Declaration<A, P>,
): Operation {
  const [method, path] = route.split(' ') as [Method, string]
  return { ...declaration, method, path }
}

/** An answer with another status than the first, or with headers. */
export class Answer {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Record<string, string> = {},
  ) {}
}

export function answer(status: number, body?: unknown, headers?: Record<string, string>): Answer {
  return new Answer(status, body, headers)
}

/** One page of a list; `total` undefined where counting would cost too much (API, A7). */
export class Page {
  constructor(
    readonly rows: unknown[],
    readonly total: number | undefined,
  ) {}
}

export function page(rows: unknown[], total?: number): Page {
  return new Page(rows, total)
}

/** Bytes that are not JSON: a log, an archive, a file of an archive. */
export class StreamAnswer {
  constructor(
    readonly body: Readable,
    readonly contentType: string,
    readonly headers: Record<string, string> = {},
    readonly status: number = 200,
  ) {}
}

export function stream(body: Readable, contentType: string, headers?: Record<string, string>): StreamAnswer {
  return new StreamAnswer(body, contentType, headers)
}
