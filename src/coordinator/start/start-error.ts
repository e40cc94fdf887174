import { SwitchyardError } from '../../lib/errors.js'
import { StorageUnusableError } from '../ci/storage/errors.js'
import { shownDatabase } from '../database/shown-database.js'
import type { CoordinatorSettings } from './config/settings.js'

/** The coordinator cannot start because of its environment: disk or database. */
export class StartError extends SwitchyardError {
  readonly name = 'StartError'
  readonly code = 'CANNOT_START'
}

type Reason = readonly [why: string, remedy: string]

const DISK: Record<string, Reason> = {
  EACCES: [
    'permission is denied',
    'Give this user write permission there, or set another folder with --data-dir',
  ],
  EPERM: [
    'the operation is not permitted',
    'Run the coordinator as the owner, or name another folder with --data-dir',
  ],
  EROFS: ['the file system is read-only', 'Mount it for writing, or name another folder with --data-dir'],
  ENOSPC: ['no space is left on the disk', 'Free some space and start again'],
  EDQUOT: ['the disk quota is used up', 'Free some space and start again'],
  ENOTDIR: ['a part of the path is a file', 'Name a folder with --data-dir'],
  EEXIST: ['it is a file', 'Name a folder with --data-dir'],
  EISDIR: ['it is a folder', 'Move it away and start again'],
  ENAMETOOLONG: ['the path is too long', 'Name another folder with --data-dir'],
  ELOOP: ['its symbolic links form a loop', 'Name another folder with --data-dir'],
  EMFILE: ['too many files are open', 'Raise the limit of open files (ulimit -n)'],
  EIO: ['the disk reports an error', 'Check the disk'],
}

const SQLITE: Record<string, Reason> = {
  SQLITE_CANTOPEN: [
    'the file cannot be opened',
    'Give this user write permission for the file and its folder',
  ],
  SQLITE_READONLY: [
    'the file cannot be written',
    'Give this user write permission for the file and its folder',
  ],
  SQLITE_PERM: ['permission is denied', 'Give this user write permission for the file and its folder'],
  SQLITE_FULL: ['no space is left on the disk', 'Free some space and start again'],
  SQLITE_NOTADB: [
    'the file is not a database',
    'Restore it from a backup, or move it away to begin with an empty one',
  ],
  SQLITE_CORRUPT: ['the file is damaged', 'Restore it from a backup'],
  SQLITE_BUSY: ['another process has locked it', 'Stop the other process'],
  SQLITE_IOERR: ['the disk reports an error', 'Check the disk and the space that is left'],
}

const CHECK_ADDRESS = 'Check that PostgreSQL runs there, and the address in --database-url'
const CHECK_USER = 'Check the user and the password in --database-url'

const POSTGRES: Record<string, Reason> = {
  ECONNREFUSED: ['no server listens there', CHECK_ADDRESS],
  ECONNRESET: ['the connection was reset', CHECK_ADDRESS],
  EPIPE: ['the connection was closed', CHECK_ADDRESS],
  ETIMEDOUT: ['the connection timed out', CHECK_ADDRESS],
  EHOSTUNREACH: ['the host cannot be reached', CHECK_ADDRESS],
  ENETUNREACH: ['the network cannot be reached', CHECK_ADDRESS],
  ENOTFOUND: ['the host name is not known', CHECK_ADDRESS],
  EAI_AGAIN: ['the host name cannot be resolved', CHECK_ADDRESS],
  ENOENT: ['its socket does not exist', CHECK_ADDRESS],
  '28P01': ['it refused the password', CHECK_USER],
  '28000': ['it refused the user', CHECK_USER],
  '3D000': ['the database does not exist', 'Create it (createdb), or name another one in --database-url'],
  '42501': ['the user lacks a privilege', 'Make the user the owner of the database'],
  '53100': ['no space is left on its disk', 'Free some space there and start again'],
  '53300': ['it has too many connections', 'Raise max_connections of PostgreSQL'],
  '25006': [
    'it is a standby, or a server that is set to reading only',
    'Name the primary server in --database-url, or promote this one',
  ],
  '53200': ['it has no memory left', 'Give its machine more memory'],
  '57P01': ['it is shutting down', 'Start the coordinator again when it runs'],
  '57P02': ['it has crashed', 'Start the coordinator again when it runs'],
  '58030': ['its disk reports an error', 'Check the disk of PostgreSQL'],
  XX001: ['its files are damaged', 'Restore it from a backup'],
  XX002: ['an index is damaged', 'Rebuild it (reindex), or restore the database from a backup'],
  '57P03': ['it is starting up', 'Start the coordinator again in a moment'],
}

/**
 * Explains in one sentence what failed, where, why, and what to do. Returns the error itself if the cause is
 * unknown.
 */
export function explainStart(
  error: unknown,
  settings: Pick<CoordinatorSettings, 'dataDir' | 'database'>,
): unknown {
  if (error instanceof StorageUnusableError) return error
  const root = rootOf(error)
  const code = codeOf(root)
  if (code === undefined) return error
  const path = root instanceof Error && 'path' in root ? String(root.path) : undefined
  const disk = DISK[code]
  if (disk && path !== undefined && isFileCall(root)) return startError(`${path} cannot be used`, disk, error)
  const where = `The database ${shownDatabase(settings.database)} cannot be used`
  if (settings.database.dialect === 'postgres') {
    const reason = POSTGRES[code]
    return reason ? startError(where, reason, error) : error
  }
  const reason = Object.entries(SQLITE).find(([name]) => code === name || code.startsWith(`${name}_`))?.[1]
  return reason ? startError(where, reason, error) : error
}

function startError(what: string, [why, remedy]: Reason, cause: unknown): StartError {
  return new StartError(`${what}: ${why}. ${remedy}.`, { cause })
}

function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Connecting to a socket fails with the same error codes as opening a file. */
function isFileCall(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'connect'
}
