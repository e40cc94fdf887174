import { createHmac, randomInt } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { readIfThere } from '../../lib/files.js'

const FORM = /^[sr]_[0-9a-zA-Z]{12}$/
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * The ID that distinguishes this machine from others with the same token. It is stored beside the settings (runner
 * protocol, 1.2).
 */
export async function loadSystemId(configFile: string): Promise<string> {
  const file = join(dirname(resolve(configFile)), '.runner_system_id')
  const kept = (await readIfThere(file))?.trim()
  if (kept !== undefined && FORM.test(kept)) return kept
  const systemId = await newSystemId()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, systemId, { mode: 0o600 })
  return systemId
}

async function newSystemId(): Promise<string> {
  const machineId = (await readIfThere('/etc/machine-id'))?.trim()
  if (machineId)
    return `s_${createHmac('sha256', machineId).update('gitlab-runner').digest('hex').slice(0, 12)}`
  return `r_${Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`
}
