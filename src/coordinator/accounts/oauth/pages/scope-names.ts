import { type Markup, markup } from '../../../http/html-page.js'

/** Descriptions of scopes for users (API, A2). */
const NAMES = new Map([
  ['api', 'Read and change everything that you can access, and pull and push'],
  ['read_api', 'Read everything that you can access'],
  ['read_user', 'Read your profile, with your e-mail address'],
  ['read_repository', 'Read and clone repositories'],
  ['write_repository', 'Clone repositories and push to them'],
  ['create_runner', 'Create runners'],
  ['manage_runner', 'Manage runners'],
  ['mcp', 'Read pipelines, logs, tests and code, run pipelines and jobs, and comment on merge requests'],
  ['openid', 'Read your identity: name, username, avatar and groups'],
  ['profile', 'Read your public profile'],
  ['email', 'Read your primary e-mail address'],
  ['sudo', 'Act as any user, if you are an administrator'],
])

/** A scope without a description has no effect here; it is listed by its name. */
export function scopeList(scopes: readonly string[]): Markup {
  return markup`<ul>${scopes.map((scope) => markup`<li>${NAMES.get(scope) ?? scope}</li>`)}</ul>`
}
