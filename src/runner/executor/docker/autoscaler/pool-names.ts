import { randomBytes } from 'node:crypto'

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
 * The pool of a registration on this machine, from its short token and the system ID. Two runners never share it, because
 * each would delete the machines of the other.
 */
export function defaultPool(shortToken: string, systemId: string): string {
  const readable = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return `switchyard-${readable(shortToken)}-${readable(systemId).slice(-6)}`
}
