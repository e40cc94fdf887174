import type { Gitbeaker } from '../support/service.js'

/** Numbers of what a row can belong to. */
export interface Place {
  project: number
  group: number
  /** Somebody whom the administrator looks after. */
  user: number
  /** Users who are nobody's members yet. */
  people: number[]
}

export type Fields = Record<string, unknown>
/** The value of a path parameter that identifies a record: its number, name or key. */
export type Key = string | number

/** How @gitbeaker/rest does it; what it has no call for is left out. */
export interface Calls {
  create: (body: Fields) => Promise<unknown>
  all: (options: { perPage: number }) => Promise<unknown>
  show?: (key: Key) => Promise<unknown>
  /** As the `change` of the row. */
  edit?: (key: Key) => Promise<unknown>
  remove?: (key: Key) => Promise<unknown>
}

export interface Answer {
  status: number
  message: unknown
}

/** One resource, and what both clients must be able to do with it. */
export interface ResourceRow {
  resource: string
  of: 'instance' | 'project' | 'group' | 'user' | 'me' | 'release'
  /** The name of python-gitlab's manager. */
  manager: string
  /** The field whose value is used in the path. */
  key: string
  bodies: Fields[]
  /** Fields and their new values; nothing where there is no such operation. */
  change?: Fields
  /** What can not be made; nothing where anything can. */
  wrong?: { body: Fields } & Answer
  /** The list, to those who have no part in it. Nobody is kept from what is their own. */
  hidden?: Answer
  /** To reading what was removed; nothing where it stays readable, as revoked. */
  absent?: Answer
  /** To removing it again, where that is not what `absent` says; null where it is done once more. */
  gone?: Answer | null
  /** False where the service has no call for a single one, though a client does. */
  readable?: boolean
  /** How the list is narrowed down to what is in force. */
  filter?: Fields
  gitbeaker: (api: Gitbeaker) => Calls
}

export const HIDDEN = {
  project: { status: 404, message: '404 Project Not Found' },
  group: { status: 404, message: '404 Group Not Found' },
} as const

export const FORBIDDEN: Answer = { status: 403, message: '403 Forbidden' }

export function absent(noun?: string): Answer {
  return { status: 404, message: noun === undefined ? '404 Not found' : `404 ${noun} Not Found` }
}

export const LATER = '2999-01-01'
