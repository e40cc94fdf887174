import type { Artifacts } from './artifacts.js'
import type { Traces } from './traces.js'

/** Deletes the traces and artifacts of a project after its rows have gone. */
export async function removeProjectFiles(
  stores: { artifacts: Artifacts; traces: Traces },
  projectId: number,
): Promise<void> {
  await stores.artifacts.deleteProject(projectId)
  await stores.traces.deleteProject(projectId)
}
