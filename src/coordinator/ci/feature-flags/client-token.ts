import { createHash, timingSafeEqual } from 'node:crypto'

import { newToken } from '../../../lib/tokens.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { findClientToken, insertClientToken } from './store.js'

interface TokenDeps {
  database: Database
  secrets: SecretBox
}

/** The token of the applications of a project; the first call makes it. */
export async function clientToken({ database, secrets }: TokenDeps, projectId: number): Promise<string> {
  const known = await findClientToken(database, projectId)
  if (known !== undefined) return secrets.decrypt(known)
  await insertClientToken(database, projectId, secrets.encrypt(newToken('glffct-')))
  return clientToken({ database, secrets }, projectId)
}

/** Whether it is the token of the applications of the project. */
export async function isClientToken(
  { database, secrets }: TokenDeps,
  projectId: number,
  token: string,
): Promise<boolean> {
  const known = await findClientToken(database, projectId)
  return known !== undefined && timingSafeEqual(digest(secrets.decrypt(known)), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
