import { lchown, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

import { cleanTree } from './clean-tree.js'
import { lfsSettings } from './git-lfs.js'
import { credentialHelper } from './job-credentials.js'
import { changeOwner, writeJobRepository } from './job-repository.js'
import type { Ref } from './read-refs.js'
import { setAside } from './set-aside.js'
import type { Sources } from './sources.js'
import type { CheckedOutSubmodule } from './submodules/check-out-submodules.js'
import { directoryOf } from './submodules/gitmodules.js'

/**
 * Completes the work tree for the job. The user of the job becomes the owner of its files. Git finds a repository
 * in it, and one for each submodule below `.git/modules`.
 */
export async function publishRepositories(
  sources: Sources,
  submodules: CheckedOutSubmodule[],
): Promise<void> {
  const { repository, layout, git, address, objectFormat } = sources
  await changeOwnerOfFiles(sources, submodules)
  const directory = join(layout.workTree, '.git')
  await setAside(directory, layout.aside)
  const refs = await repository.refs()
  const isFetched = refFilter(git.refspecs ?? [])
  await writeJobRepository(
    { directory, hostDir: layout.gitDir, objectsDir: layout.objectsDir },
    {
      head: await repository.head(),
      url: address.url,
      refs: refs.filter(({ name }) => isFetched(name) || name.startsWith('refs/tags/')),
      objectFormat,
      helper: credentialHelper(git.repo_url),
      submodules,
    },
  )
  await publishSubmodules(sources, submodules, directory)
  if (layout.owner) await changeOwner(layout.owner, directory)
  await repository.deleteStalePipelineRefs(refs, isFetched)
}

/**
 * Git has written the files as the user of the runner, which is the right owner for most jobs. A change of owner
 * changes one of the times by which git recognizes unchanged files.
 */
async function changeOwnerOfFiles(sources: Sources, submodules: CheckedOutSubmodule[]): Promise<void> {
  const { layout, repository, address, hasLfs, signal } = sources
  if (!layout.owner || (layout.owner.uid === 0 && layout.owner.gid === 0)) return
  const { hasNewOwners } = await cleanTree(layout.workTree, layout.owner, signal)
  if (!hasNewOwners) return
  const settings = hasLfs ? lfsSettings(address, false) : {}
  for (const each of [repository, ...allRepositories(submodules)]) await each.refreshIndex(settings)
}

function allRepositories(submodules: CheckedOutSubmodule[]): CheckedOutSubmodule['repository'][] {
  return submodules.flatMap((submodule) => [submodule.repository, ...allRepositories(submodule.submodules)])
}

async function publishSubmodules(
  sources: Sources,
  submodules: CheckedOutSubmodule[],
  parent: string,
): Promise<void> {
  for (const submodule of submodules) {
    const directory = join(parent, 'modules', directoryOf(submodule.name))
    await publishSubmodule(sources, submodule, directory)
    await publishSubmodules(sources, submodule.submodules, directory)
  }
}

async function publishSubmodule(
  { layout, objectFormat, git }: Sources,
  submodule: CheckedOutSubmodule,
  directory: string,
): Promise<void> {
  const { repository, key, sha, url, submodules } = submodule
  const objectsDir = `${layout.moduleObjectsDir}/${key}/objects`
  const refs: Ref[] = (await repository.refs()).filter(({ name }) => !name.startsWith('refs/switchyard/'))
  await writeJobRepository(
    { directory, hostDir: repository.gitDir, objectsDir, workTree: relative(directory, repository.workTree) },
    { head: sha, url, refs, objectFormat, helper: credentialHelper(git.repo_url), submodules },
  )
  const link = join(repository.workTree, '.git')
  await setAside(link, layout.aside)
  await writeFile(link, `gitdir: ${relative(repository.workTree, directory)}\n`, { flag: 'wx' })
  if (layout.owner) await lchown(link, layout.owner.uid, layout.owner.gid)
}

/** Whether a ref was written by the refspecs. */
function refFilter(refspecs: string[]): (name: string) => boolean {
  const targets = refspecs.map((refspec) => refspec.split(':')[1] ?? '')
  return (name) =>
    targets.some((target) =>
      target.endsWith('*') ? name.startsWith(target.slice(0, -1)) : target !== '' && name === target,
    )
}
