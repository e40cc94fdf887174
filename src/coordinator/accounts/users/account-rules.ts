import { problemOfPathName } from '../../../addresses/path-name.js'
import { isEmailAddress } from '../../../lib/is-email-address.js'
import { invalidRecord } from '../../http/errors.js'

const PASSWORD_LENGTH = { least: 8, most: 128 }

/** Account fields that administrators and users set. */
export interface AccountText {
  username?: string | undefined
  email?: string | undefined
  website_url?: string | null | undefined
  password?: string | undefined
}

/** Throws 400 with all invalid fields. */
export function checkAccount(params: AccountText): void {
  const problems = {
    username: params.username === undefined ? undefined : problemOfPathName(params.username, 'top'),
    email: params.email === undefined || isEmailAddress(params.email) ? undefined : 'is invalid',
    website_url: isWebsite(params.website_url) ? undefined : 'is not a valid URL',
    password: params.password === undefined ? undefined : problemOfPassword(params.password, params),
  }
  const found = Object.entries(problems).flatMap(([name, problem]) => (problem ? [[name, [problem]]] : []))
  if (found.length > 0) throw invalidRecord(Object.fromEntries(found) as Record<string, string[]>)
}

function isWebsite(url: string | null | undefined): boolean {
  if (!url) return true
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

function problemOfPassword(password: string, { username, email }: AccountText): string | undefined {
  if (password === '') return "can't be blank"
  const { least, most } = PASSWORD_LENGTH
  if (password.length < least) return `is too short (minimum is ${least} characters)`
  if (password.length > most) return `is too long (maximum is ${most} characters)`
  const text = password.toLowerCase()
  const isName = text === username?.toLowerCase() || text === email?.toLowerCase()
  return isName ? 'must not contain commonly used combinations of words and letters' : undefined
}
