import { NoConfigFileError } from './errors.js'
import type { LocalSources } from './local-sources.js'
import { pathInside, type WorkingDirectory } from './working-directory.js'

/** A CI file of the working directory. `path` is relative to the top folder. */
export interface ConfigFile {
  path: string
  text: string
}

/** Throws `NoConfigFileError` if the file does not exist or is outside the directory. */
export async function readConfigFile(
  directory: WorkingDirectory,
  sources: LocalSources,
  file: string,
): Promise<ConfigFile> {
  const path = pathInside(directory, file)
  if (path === undefined)
    throw new NoConfigFileError(`${file} is not in ${directory.root}: change to its folder first`)
  const { projectPath, commit } = directory
  const text = await sources.readFile({ projectPath, sha: commit.id }, path)
  if (text === undefined)
    throw new NoConfigFileError(`${file} does not exist: name the CI file, or change to its folder`)
  return { path, text }
}
