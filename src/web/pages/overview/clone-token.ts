import { DAY } from '../../../lib/time-units.js'

const DAYS = 30
const MAX_NAME_LENGTH = 255

/** What is asked of the API for a token that clones. */
export function tokenRequest(
  project: string,
  now: Date,
): { name: string; scopes: string[]; expires_at: string } {
  return {
    name: `clone ${project}`.slice(0, MAX_NAME_LENGTH),
    scopes: ['read_repository'],
    expires_at: new Date(now.getTime() + DAYS * DAY).toISOString().slice(0, 10),
  }
}

/** The address of a repository with the credentials that git sends. */
export function urlWithToken(address: string, username: string, token: string): string {
  const url = new URL(address)
  url.username = username
  url.password = token
  return url.href
}
