import { type Query, queryOf } from '../../../addresses/address-of.js'

export interface UserFilter {
  /** In the address of the page. */
  value: string
  label: string
  query: Query
  /** Title of the empty list. */
  empty: string
}

const ALL: UserFilter = { value: '', label: 'All', query: {}, empty: 'There is no user.' }

export const PENDING: UserFilter = {
  value: 'pending',
  label: 'Pending approval',
  query: { state: 'blocked_pending_approval' },
  empty: 'Nobody waits for approval.',
}

export const USER_FILTERS: readonly UserFilter[] = [
  ALL,
  { value: 'active', label: 'Active', query: { active: true }, empty: 'No user is active.' },
  PENDING,
  { value: 'admins', label: 'Administrators', query: { admins: true }, empty: 'There is no administrator.' },
  { value: 'external', label: 'External', query: { external: true }, empty: 'No user is external.' },
  { value: 'blocked', label: 'Blocked', query: { blocked: true }, empty: 'No user is blocked.' },
  { value: 'banned', label: 'Banned', query: { state: 'banned' }, empty: 'No user is banned.' },
  {
    value: 'deactivated',
    label: 'Deactivated',
    query: { state: 'deactivated' },
    empty: 'No user is deactivated.',
  },
]

export function userFilterNamed(name: string | null): UserFilter {
  return USER_FILTERS.find(({ value }) => value === name) ?? ALL
}

/** The path of the list in the API. */
export function usersPath({ query }: UserFilter, search: string): string {
  return `/users${queryOf({ per_page: 50, search: search || undefined, ...query })}`
}
