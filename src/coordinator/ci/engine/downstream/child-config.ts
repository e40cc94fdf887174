import { DEFAULT_CONFIG_PATH, type FoundConfig } from '../../../../ci-config/include/find-config.js'
import type { ConfigData } from '../../../../ci-config/plan.js'
import type { ProjectCommit } from '../../../../ci-config/sources.js'

type DataMap = Readonly<Record<string, ConfigData>>

/**
 * The CI file of a child pipeline: its files, merged in order (CI language, 13.1). It is JSON, which is valid
 * YAML. The `inputs` of the trigger apply to each of its files that sets none.
 */
export function childConfig(
  include: readonly ConfigData[],
  inputs: DataMap | undefined,
  commit: ProjectCommit,
): FoundConfig {
  const items = inputs ? include.map((item) => withInputs(item, inputs)) : include
  return {
    text: JSON.stringify({ include: items }),
    origin: { file: DEFAULT_CONFIG_PATH, commit, mayIncludeArtifacts: true },
  }
}

function withInputs(item: ConfigData, inputs: DataMap): ConfigData {
  if (typeof item === 'string') {
    return { [/^https?:\/\//i.test(item) ? 'remote' : 'local']: item, inputs }
  }
  if (!isMap(item)) return item
  const own = item['inputs'] ?? {}
  return { ...item, inputs: isMap(own) ? { ...inputs, ...own } : own }
}

export function isMap(data: ConfigData | undefined): data is DataMap {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}
