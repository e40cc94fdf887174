import { type Markup, markup } from './page.js'

/** What users are told that a scope lets an application do (API, A2). */
const NAMES = new Map([
  ['api', 'Read and change everything that you may, and pull and push'],
  ['read_api', 'Read everything that you may'],
  ['read_user', 'Read your profile, with your e-mail address'],
  ['read_repository', 'Read and clone repositories'],
  ['write_repository', 'Clone repositories and push to them'],
  ['create_runner', 'Create runners'],
  ['manage_runner', 'Manage runners'],
  ['openid', 'Know who you are: your name, user name, picture and groups'],
  ['profile', 'Read your public profile'],
  ['email', 'Read your primary e-mail address'],
  ['sudo', 'Act as any user, if you are an administrator'],
])

/** A scope that is not told of opens nothing here; it is named as it is. */
export function scopeList(scopes: readonly string[]): Markup {
  return markup`<ul>${scopes.map((scope) => markup`<li>${NAMES.get(scope) ?? scope}</li>`)}</ul>`
}
