import { Command } from 'commander'

import { readCoordinatorSettings } from '../../../coordinator/start/config/settings.js'
import { bySetting, settingOptions } from '../coordinator-flags.js'
import { adoptInstanceFolder } from './adopt-folder.js'
import { backUpInstance } from './backup.js'
import { disableTwoFactor } from './disable-two-factor.js'
import { moveInstanceBlobs } from './move-blobs.js'
import { moveInstance } from './move-database.js'
import { restoreInstance } from './restore.js'
import { showDue } from './retention.js'
import { printScimToken } from './scim-token.js'
import { printSignInLink } from './sign-in-link.js'
import { writeInstanceBundle } from './support-bundle.js'
import { verifyInstanceBackup } from './verify-backup.js'

type Flags = Record<string, string | undefined>

const PLACE = 'a folder or s3://bucket/prefix with backups (default: backup.url)'

/** `switchyard admin`: what an operator does with an installation on its machine. */
export function adminCommand(): Command {
  const command = new Command('admin').description(
    'Back up, restore and move an installation, let users in, and see what is due for deletion',
  )
  command.addCommand(backupCommand())
  command.addCommand(verifyBackupCommand())
  command.addCommand(restoreCommand())
  command.addCommand(retentionCommand())
  command.addCommand(moveDatabaseCommand())
  command.addCommand(moveBlobsCommand())
  command.addCommand(adoptFolderCommand())
  command.addCommand(disableTwoFactorCommand())
  command.addCommand(scimTokenCommand())
  command.addCommand(supportBundleCommand())
  command.addCommand(signInLinkCommand())
  return command
}

function supportBundleCommand(): Command {
  const command = new Command('support-bundle')
    .description('Write versions, settings without secrets, metrics and the last warnings into a zip')
    .argument('[file]', 'the zip (default: a new one in the current folder)')
  settingOptions(['listen', 'data_dir', 'database_url', 'config']).forEach((option) =>
    command.addOption(option),
  )
  return command.action((file: string | undefined, flags: Flags) =>
    writeInstanceBundle(bySetting(flags), file),
  )
}

function signInLinkCommand(): Command {
  const command = new Command('sign-in-link')
    .description('Print a link that signs an administrator in once, when no other way to sign in works')
    .argument('[username]', 'the administrator (default: the first one who is active)')
  settingOptions(['listen', 'external_url', 'data_dir', 'database_url', 'config']).forEach((option) =>
    command.addOption(option),
  )
  return command.action((username: string | undefined, flags: Flags) =>
    printSignInLink(bySetting(flags), username),
  )
}

function backupCommand(): Command {
  const command = new Command('backup')
    .description('Back a running installation up; later backups copy only what is new')
    .argument(
      '[place]',
      'a folder outside the data folder, or s3://bucket/prefix: empty, or with backups (default: backup.url)',
    )
    .option('--keep <number>', 'remove all but the newest backups')
  return withPlace(command).action((place: string | undefined, { keep, ...flags }: Flags) =>
    backUpInstance(bySetting(flags), place, keep),
  )
}

function verifyBackupCommand(): Command {
  const command = new Command('verify-backup')
    .description(
      'Check every file, the database and the repositories of a backup; exit status 1 on a problem',
    )
    .argument('[place]', PLACE)
    .option('--name <name>', 'the backup to check (default: the newest)')
  settingOptions(['data_dir', 'config']).forEach((option) => command.addOption(option))
  return command.action((place: string | undefined, { name, ...flags }: Flags) =>
    verifyInstanceBackup(bySetting(flags), place, name),
  )
}

function restoreCommand(): Command {
  const command = new Command('restore')
    .description('Write a backup into an empty data folder, and an empty database if it is PostgreSQL')
    .argument('[place]', PLACE)
    .option('--name <name>', 'the backup to restore (default: the newest)')
  return withPlace(command).action((place: string | undefined, { name, ...flags }: Flags) =>
    restoreInstance(bySetting(flags), place, name),
  )
}

function retentionCommand(): Command {
  const command = new Command('retention')
    .description(
      'Show, per project, what the limits of retention would delete now, and what they deleted in the last 30 days',
    )
    .option('--json', 'print JSON')
  return withPlace(command).action(({ json, ...flags }: Flags & { json?: true }) =>
    showDue(flags, json === true),
  )
}

function moveDatabaseCommand(): Command {
  const command = new Command('move-database')
    .description(
      'Move a stopped installation from SQLite to PostgreSQL; repeat the command if it was interrupted',
    )
    .option('--to <url>', 'an empty database: postgres://…')
    .option('--cancel', 'use SQLite again, as it was before the move')
  settingOptions(['data_dir', 'config']).forEach((option) => command.addOption(option))
  return command.action(({ to, cancel, ...flags }: Flags & { cancel?: true }) => {
    const { dataDir } = readCoordinatorSettings(bySetting(flags), process.env)
    return moveInstance(dataDir, { to, isCanceled: cancel === true })
  })
}

function adoptFolderCommand(): Command {
  const command = new Command('adopt-folder').description(
    'Let the next start tie the database with this data folder, whatever installation the folder belonged to',
  )
  return withPlace(command).action((flags: Flags) => adoptInstanceFolder(bySetting(flags)))
}

function disableTwoFactorCommand(): Command {
  const command = new Command('disable-two-factor')
    .description('Remove the second factors of a user who has lost them')
    .argument('<username>', 'the user')
  return withPlace(command).action((username: string, flags: Flags) =>
    disableTwoFactor(bySetting(flags), username),
  )
}

function scimTokenCommand(): Command {
  const command = new Command('scim-token')
    .description('Create the SCIM token of an identity provider, in place of the one before, and print it')
    .argument('<provider>', 'name of the provider in the settings')
  return withPlace(command).action((provider: string, flags: Flags) =>
    printScimToken(bySetting(flags), provider),
  )
}

function moveBlobsCommand(): Command {
  const command = new Command('move-blobs')
    .description(
      'Copy artifacts, logs and other files of a running installation to another place, and compare each; repeat the ' +
        'command if it was interrupted',
    )
    .option('--to <url>', 's3://bucket/prefix or folder (default: storage.url)')
    .option('--delete', 'delete each original in storage.previous once its copy was compared')
  settingOptions(['data_dir', 'config']).forEach((option) => command.addOption(option))
  return command.action(({ to, delete: isDeleting, ...flags }: Flags & { delete?: true }) =>
    moveInstanceBlobs(bySetting(flags), { to, isDeleting: isDeleting === true }),
  )
}

function withPlace(command: Command): Command {
  settingOptions(['data_dir', 'database_url', 'config']).forEach((option) => command.addOption(option))
  return command
}
