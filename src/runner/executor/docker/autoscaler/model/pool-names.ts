import { createHash, randomBytes } from 'node:crypto'

const ID_BYTES = 4

/** The name of a new machine. Clouds and host names accept it. */
export function newName(pool: string): string {
  return `${pool}-${randomBytes(ID_BYTES).toString('hex')}`
}

/** Whether the machine belongs to this pool. Machines of other pools may be in the same list. */
export function isNameIn(pool: string, name: string): boolean {
  return name.startsWith(`${pool}-`) && /^[0-9a-f]{8}$/.test(name.slice(pool.length + 1))
}

/**
 * The pool of a registration on this machine. `key` identifies the registration, and stays when its token is renewed. Two
 * runners must never share a pool: each would delete the machines of the other.
 */
export function defaultPool(key: string, systemId: string): string {
  const digest = createHash('sha256').update(`${key} ${systemId}`).digest('hex')
  return `switchyard-${digest.slice(0, 10)}`
}
