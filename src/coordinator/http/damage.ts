import type { FastifyRequest } from 'fastify'

import { UnreadableArchiveError } from '../../archive/errors.js'
import { GitError } from '../../git/errors.js'
import { DamageError } from '../../lib/damage.js'
import { requestAddress } from '../../lib/request-address.js'

/** The damaged object, if damage is the reason why a request failed. */
export interface Damage {
  /** A sentence for the client. */
  shown: string
  /** Names the thing, for `warnOfDamage`. */
  thing: string
}

/** Undefined for an error that has another cause. */
export function damageOf(error: unknown, request?: FastifyRequest): Damage | undefined {
  const chain = causesOf(error)
  const damaged = chain.find((one) => one instanceof DamageError)
  if (damaged) return damaged
  const git = chain.find((one) => one instanceof GitError)
  // A sentence with the ID of an object names one thing; others are about the repository of the request.
  if (git?.damage !== undefined)
    return { shown: git.damage, thing: `${git.damage} ${damagedProject(request)}` }
  const archive = chain.find((one) => one instanceof UnreadableArchiveError)
  return archive && { shown: archive.message, thing: `${archive.message} ${damagedProject(request)}` }
}

function causesOf(error: unknown): Error[] {
  const chain: Error[] = []
  for (let at = error; at instanceof Error && !chain.includes(at); at = at.cause) chain.push(at)
  return chain
}

/** The project of a request, or else its path. */
function damagedProject(request: FastifyRequest | undefined): string {
  const { id } = (request?.params ?? {}) as { id?: string }
  return id ?? requestAddress(request?.raw.url ?? '/').pathname
}
