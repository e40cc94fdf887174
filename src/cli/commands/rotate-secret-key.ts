import { Command } from 'commander'

import { readCoordinatorSettings } from '../../coordinator/start/config/settings.js'
import type { Rotation } from '../../coordinator/start/rotate-secret-key.js'
import { bySetting, settingOptions } from './coordinator-flags.js'

/** `switchyard coordinator rotate-secret-key`: replaces the key that seals secrets, while coordinators run. */
export function rotateSecretKeyCommand(): Command {
  const command = new Command('rotate-secret-key').description(
    'Add a new key to secret.key and seal all secrets with it; run it again when it was interrupted',
  )
  settingOptions(['data_dir', 'database_url', 'config']).forEach((option) => command.addOption(option))
  command.option('--remove-old-keys', 'complete the rotation: remove the keys that seal nothing any more')
  return command.action(async () => {
    // The command above has the same flags, and takes them wherever they are.
    const { removeOldKeys: isLast, ...flags } = command.optsWithGlobals<Options>()
    const settings = readCoordinatorSettings(bySetting(flags), process.env)
    const { deleteOldKeys, rotateSecretKey } = await import('../../coordinator/start/rotate-secret-key.js')
    report(await (isLast ? deleteOldKeys(settings) : rotateSecretKey(settings)))
  })
}

type Options = Record<string, string | undefined> & { removeOldKeys?: true }

function report({ keyId, resealed, unreadable, oldKeys }: Rotation): void {
  console.log(`Key ${keyId} seals; ${resealed} secrets were sealed with it now`)
  for (const column of new Set(unreadable))
    console.error(`switchyard: no key opens some secrets of ${column}`)
  if (oldKeys > 0) console.log('Complete the rotation in five minutes, with --remove-old-keys')
}
