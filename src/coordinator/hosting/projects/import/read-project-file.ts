import { readFile } from 'node:fs/promises'

import { isMissingFile } from '../../../../lib/files.js'
import { isRecord } from '../../../../lib/is-record.js'
import { FORMAT, FORMAT_VERSION } from '../export/archive-format.js'
import { ImportError } from './import-error.js'

/** The parts of `ProjectFile` that are read; all of them are untrusted input. */
export interface GivenProject {
  default_branch: string | undefined
  settings: Record<string, unknown>
  avatar: string | undefined
}

/** Throws `ImportError` for a file that is not a supported project archive. */
export async function readProjectFile(file: string): Promise<GivenProject> {
  const given = parsed(await contentOf(file))
  if (given['format'] !== FORMAT)
    throw new ImportError('The archive is not a project archive of this service')
  if (given['version'] !== FORMAT_VERSION) {
    throw new ImportError(
      `The archive has version ${JSON.stringify(given['version'])}, but this server supports ${FORMAT_VERSION}`,
    )
  }
  const { settings, default_branch: branch, avatar } = given
  return {
    settings: isRecord(settings) ? settings : {},
    default_branch: typeof branch === 'string' ? branch : undefined,
    avatar: typeof avatar === 'string' ? avatar : undefined,
  }
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (!isMissingFile(error)) throw error
    throw new ImportError('The archive is not a project archive: it contains no project.json', {
      cause: error,
    })
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch (error) {
    throw new ImportError('The project.json of the archive is not valid JSON', { cause: error })
  }
  throw new ImportError('The project.json of the archive is not an object')
}
