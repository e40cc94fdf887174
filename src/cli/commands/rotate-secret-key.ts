import { Command } from 'commander'

import { readCoordinatorSettings } from '../../coordinator/start/config/settings.js'
import type { Rotation } from '../../coordinator/start/rotate-secret-key.js'
import { bySetting, settingOptions } from './coordinator-flags.js'

/** `switchyard coordinator rotate-secret-key`: replaces the key that encrypts secrets, while coordinators run. */
export function rotateSecretKeyCommand(): Command {
  const command = new Command('rotate-secret-key').description(
    'Add a new key to secret.key and encrypt all secrets with it; repeat the command if it was interrupted',
  )
  settingOptions(['data_dir', 'database_url', 'config']).forEach((option) => command.addOption(option))
  command.option('--remove-old-keys', 'complete the rotation: remove the keys that are no longer in use')
  return command.action(async () => {
    // The parent command has the same flags, and accepts them in any position.
    const { removeOldKeys: isLast, ...flags } = command.optsWithGlobals<Options>()
    const settings = readCoordinatorSettings(bySetting(flags), process.env)
    const { deleteOldKeys, rotateSecretKey } = await import('../../coordinator/start/rotate-secret-key.js')
    report(await (isLast ? deleteOldKeys(settings) : rotateSecretKey(settings)))
  })
}

type Options = Record<string, string | undefined> & { removeOldKeys?: true }

function report({ keyId, resealed, unreadable, oldKeys }: Rotation): void {
  console.log(`Key ${keyId} is in use; ${resealed} secrets were encrypted with it now`)
  for (const column of new Set(unreadable))
    console.error(`switchyard: some secrets of ${column} cannot be decrypted with any key`)
  if (oldKeys > 0) console.log('Complete the rotation in five minutes, with --remove-old-keys')
}
