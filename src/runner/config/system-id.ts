import { randomInt } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { readIfThere } from '../../lib/files.js'

const FORM = /^[sr]_[0-9a-zA-Z]{12}$/
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * The ID that distinguishes this runner from others with the same token. It is stored beside the settings (runner protocol,
 * 1.2). It is random and not that of the machine, because two runners of one machine, or of machines with the same
 * image, would remove each other's containers and pods.
 */
export async function loadSystemId(configFile: string): Promise<string> {
  const file = join(dirname(resolve(configFile)), '.runner_system_id')
  const kept = (await readIfThere(file))?.trim()
  if (kept !== undefined && FORM.test(kept)) return kept
  const systemId = newSystemId()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, systemId, { mode: 0o600 })
  return systemId
}

function newSystemId(): string {
  return `r_${Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`
}
