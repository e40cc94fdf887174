import type { Gitbeaker } from '../support/service.js'

/** IDs of the possible owners of a row. */
export interface Place {
  project: number
  group: number
  /** A user whom the administrator manages. */
  user: number
  /** Users without memberships. */
  people: number[]
}

export type Fields = Record<string, unknown>
/** The value of a path parameter that identifies a record: its number, name or key. */
export type Key = string | number

/** The calls of @gitbeaker/rest; operations without a call are left out. */
export interface Calls {
  create: (body: Fields) => Promise<unknown>
  all: (options: { perPage: number }) => Promise<unknown>
  show?: (key: Key) => Promise<unknown>
  /** As the `change` of the row. */
  edit?: (key: Key) => Promise<unknown>
  remove?: (key: Key) => Promise<unknown>
}

export interface ExpectedRefusal {
  status: number
  message: unknown
}

/** One resource, and what both clients must be able to do with it. */
export interface ResourceRow {
  resource: string
  of: 'instance' | 'project' | 'group' | 'user' | 'me' | 'release' | 'issue'
  /** The name of python-gitlab's manager. */
  manager: string
  /** The field whose value is used in the path. */
  key: string
  bodies: Fields[]
  /** Fields and their new values; nothing where there is no such operation. */
  change?: Fields
  /** What can not be made; nothing where anything can. */
  wrong?: { body: Fields } & ExpectedRefusal
  /** Status of the list for users without access. Users can always list their own records. */
  hidden?: ExpectedRefusal
  /** To reading what was removed; nothing where it stays readable, as revoked. */
  absent?: ExpectedRefusal
  /** To removing it again, where that is not what `absent` says; null where it is done once more. */
  gone?: ExpectedRefusal | null
  /** False where the service has no call for a single one, though a client does. */
  readable?: boolean
  /** The filter of the list for active records. */
  filter?: Fields
  gitbeaker: (api: Gitbeaker) => Calls
}

export const HIDDEN = {
  project: { status: 404, message: '404 Project Not Found' },
  group: { status: 404, message: '404 Group Not Found' },
} as const

export const FORBIDDEN: ExpectedRefusal = { status: 403, message: '403 Forbidden' }

export function absent(label?: string): ExpectedRefusal {
  return { status: 404, message: label === undefined ? '404 Not found' : `404 ${label} Not Found` }
}

export const LATER = '2999-01-01'
