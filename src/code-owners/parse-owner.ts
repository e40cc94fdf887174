import { type Owner, OWNER_ROLES, type OwnerRole } from './code-owners.js'

const MAX_LENGTH = 320
const ROLES = new Map<string, OwnerRole>(
  OWNER_ROLES.flatMap((role) => [
    [role, role],
    [`${role}s`, role],
  ]),
)

/** Reads `@user`, `@group/subgroup`, `@@maintainer` or an e-mail address; undefined for anything else. */
export function parseOwner(word: string): Owner | undefined {
  if (word.length > MAX_LENGTH) return undefined
  if (word.startsWith('@@')) {
    const role = ROLES.get(word.slice(2).toLowerCase())
    return role && { kind: 'role', role }
  }
  if (word.startsWith('@')) {
    const name = word.slice(1)
    return name.split('/').every((part) => /^[\w][\w.-]*$/.test(part)) ? { kind: 'name', name } : undefined
  }
  const at = word.lastIndexOf('@')
  const isAddress = at > 0 && at < word.length - 1 && !/[,;:<>()[\]\\"]/.test(word)
  return isAddress ? { kind: 'email', email: word } : undefined
}
