import { join, relative } from 'node:path'

import type { HelperPlaces } from '../../executor/helper-places.js'
import { openBindWorkspace } from '../../workspace/bind-workspace.js'
import { MARKS_DIRECTORY, type WorkspaceLayout, workspaceLayout } from '../../workspace/layout.js'
import type { QuietHomes } from '../../workspace/quiet-homes.js'
import { createDirectory } from '../../workspace/remove-tree.js'
import { removeSetAside } from '../../workspace/set-aside.js'
import type { Workspace, WorkspaceRequest } from '../../workspace/workspace.js'

/** Directory below `builds` for files that are removed later. */
const ASIDE = '.switchyard-removed'

const NEVER = new AbortController().signal

/**
 * Opens the workspace of a job whose container has the same directories at the same paths:
 *
 *     <builds>/<group>/<project>       the work tree. It may come from an earlier job, if `builds` is a persistent volume
 *     <builds>/<group>/<project>.tmp   removed by `close`
 *     <git>/repository                 the helper's repository; the job sees all of it, read-only
 *     <git>/modules                    the same for each submodule
 */
export async function openPodWorkspace(
  places: HelperPlaces,
  request: WorkspaceRequest,
  homes: QuietHomes,
  isNew: boolean,
): Promise<Workspace> {
  const layout = podLayout(places, request)
  // An earlier job with the same volume may have left links on the path.
  for (const directory of [layout.aside, layout.workTree, layout.temporary]) {
    await createDirectory(places.builds, componentsBelow(places.builds, directory), NEVER)
  }
  const workspace = await openBindWorkspace(layout, request, homes, isNew)
  if (isNew) await removeSetAside(layout.aside)
  const close = workspace.close.bind(workspace)
  workspace.close = async () => {
    await close()
    await removeSetAside(layout.aside)
  }
  return workspace
}

function podLayout(places: HelperPlaces, request: WorkspaceRequest): WorkspaceLayout {
  const layout = workspaceLayout(places.git, request)
  const { projectDir, temporaryDir } = layout
  const gitDir = join(places.git, 'repository')
  const modulesDir = join(places.git, 'modules')
  return {
    ...layout,
    home: places.git,
    aside: join(places.builds, ASIDE),
    gitDir,
    modulesDir,
    workTree: projectDir,
    temporary: temporaryDir,
    marks: join(temporaryDir, MARKS_DIRECTORY),
    output: undefined,
    objectsDir: join(gitDir, 'objects'),
    moduleObjectsDir: modulesDir,
  }
}

function componentsBelow(builds: string, directory: string): string[] {
  const components = relative(builds, directory).split('/')
  if (components[0] === '' || components[0] === '..') throw new Error(`${directory} is not below ${builds}`)
  return components
}
