import type { PipelineContext } from '../plan.js'
import type { ConfigOrigin, ConfigSources, ProjectCommit } from '../sources.js'
import { FileContext } from './file-context.js'
import { findFile } from './find-file.js'
import { isWebAddress } from './include-item.js'
import type { IncludeLocation } from './include-location.js'
import { repositoryPath } from './repository-path.js'

/** The text to compile, and its location. */
export interface FoundConfig {
  text: string
  origin: ConfigOrigin
}

export const DEFAULT_CONFIG_PATH = '.gitlab-ci.yml'

/**
 * The CI file from the setting of a project: `dir/file.yml` in the commit, `file.yml@group/project:ref` or a
 * URL (CI language, 9.4). Undefined if the commit has no such file; throws `ConfigError` for the other forms.
 */
export async function findConfig(
  setting: string | null,
  commit: ProjectCommit,
  sources: ConfigSources,
  context: PipelineContext,
): Promise<FoundConfig | undefined> {
  const location = locationOf(setting?.trim() || DEFAULT_CONFIG_PATH)
  if (location.form === 'local') return findLocal(location.file, commit, sources)
  const origin = { file: location.form, commit }
  const found = await findFile(location, FileContext.of(context, origin), sources)
  const from = found.context.commit
  return { text: found.text, origin: { file: found.file, ...(from && { commit: from }) } }
}

async function findLocal(
  file: string,
  commit: ProjectCommit,
  sources: ConfigSources,
): Promise<FoundConfig | undefined> {
  const text = await sources.readFile(commit, repositoryPath(file))
  return text === undefined ? undefined : { text, origin: { file: repositoryPath(file), commit } }
}

function locationOf(setting: string): IncludeLocation {
  if (isWebAddress(setting)) {
    return { form: 'remote', url: setting, integrity: undefined, maxAgeSeconds: undefined }
  }
  const foreign = /^(?<file>[^@]+)@(?<project>[^:@]+)(?::(?<ref>.+))?$/.exec(setting)?.groups
  if (!foreign) return { form: 'local', file: setting }
  const { file = '', project = '', ref } = foreign
  return { form: 'project', project: project.toLowerCase(), ref, file }
}
