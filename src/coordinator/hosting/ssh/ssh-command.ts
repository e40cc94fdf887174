import type { GitService } from '../repositories/http/git-path.js'

export interface SshCommand {
  service: GitService
  fullPath: string
}

/** Asks for the address of the Git LFS server. */
export interface LfsCommand {
  operation: 'download' | 'upload'
  fullPath: string
}

/**
 * The path is of letters that no shell knows, and no name in it starts with a dash or a dot. So options, other folders
 * and further commands are never accepted as paths. The wiki of a group may be in no other one.
 */
const COMMAND =
  /^git[- ](upload|receive)-pack ('?)\/?([\w][\w.+-]*(?:(?:\/[\w][\w.+-]*)+|\.wiki(?:\.git)?))\/?\2$/

/** Reads the command of a git client; undefined for every other command. Nothing of it becomes an argument of a program. */
export function readSshCommand(command: string): SshCommand | undefined {
  const [, service, , path = ''] = COMMAND.exec(command) ?? []
  if (service === undefined || path.length > MAX_CHARACTERS) return undefined
  return {
    service: service === 'upload' ? 'git-upload-pack' : 'git-receive-pack',
    fullPath: path.replace(/\.git$/, ''),
  }
}

const LFS_COMMAND =
  /^git-lfs-authenticate ('?)\/?([\w][\w.+-]*(?:\/[\w][\w.+-]*)+)\/?\1 ('?)(download|upload)\3$/

/** Reads the command of a Git LFS client in the same way. */
export function readLfsCommand(command: string): LfsCommand | undefined {
  const [, , path = '', , operation] = LFS_COMMAND.exec(command) ?? []
  if (operation === undefined || path.length > MAX_CHARACTERS) return undefined
  return { operation: operation === 'upload' ? 'upload' : 'download', fullPath: path.replace(/\.git$/, '') }
}

const MAX_CHARACTERS = 4096
