import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { UnreadableArchiveError, UnsafeArchiveError } from '../../../../archive/errors.js'
import { unpackKnownFiles } from '../../../../archive/unpack-known-files.js'
import { sizeIfThere } from '../../../../lib/files.js'
import { OWNER } from '../../../access/access-levels.js'
import type { Project } from '../../../access/caller.js'
import type { BlobStore } from '../../../ci/storage/blob-store.js'
import { BlobMissingError } from '../../../ci/storage/errors.js'
import type { Database } from '../../../database/connect.js'
import { updateProject } from '../../../database/stores/project-store.js'
import type { TransferPart } from '../../../http/archive-part.js'
import { ApiError } from '../../../http/errors.js'
import { readerFor } from '../../../http/parameters/compile-parameters.js'
import type { Avatars } from '../../avatars/avatars.js'
import type { Repositories } from '../../repositories/repositories.js'
import { changeAvatar } from '../avatar.js'
import { type CreateProjectDeps } from '../create/create-project.js'
import { AVATAR_FILE, partFile, PROJECT_FILE } from '../export/archive-format.js'
import { type Import, recordProblem, recordProgress } from '../import-store.js'
import { editProject } from '../settings/edit-project.js'
import { closed, unrestricted } from '../settings/visibility.js'
import { findNamespace, findProject } from '../store.js'
import { ARCHIVE_LIMITS, maxBytesOf } from './archive-limits.js'
import { checkImporter, type Importer } from './check-importer.js'
import { TransferredSettings } from './import-archive-schema.js'
import { ImportError } from './import-error.js'
import { lfsPart } from './lfs-part.js'
import { type GivenProject, readProjectFile } from './read-project-file.js'
import { readRecords } from './read-records.js'
import { unbundle, unbundleWiki } from './unbundle.js'
import { uploadPart } from './upload-part.js'

export interface ImportArchiveDeps {
  database: Database
  blobs: BlobStore
  avatars: Avatars
  secrets: CreateProjectDeps['secrets']
  repositories: Pick<
    Repositories,
    'path' | 'withSlot' | 'listRefs' | 'setHead' | 'create' | 'delete' | 'resolveRef'
  >
  /** Repositories of wikis, by the IDs of their projects. */
  wikiRepositories: Pick<Repositories, 'path' | 'withSlot'>
  /** Records that a project has a wiki once `fill` has resolved to whether its repository was created. */
  addWiki: (projectId: number, fill: () => Promise<boolean>) => Promise<void>
  /** Parts of a project besides its repository, in the order of their import. */
  parts: TransferPart[]
  /** Folder to which archives are unpacked. */
  workFolder: string
}

/** An unpacked archive that is being imported. */
interface Unpacked extends Importer {
  wanted: Import
  folder: string
  given: GivenProject
}

/**
 * Imports the remaining content of an archive: the repository, the settings, and each record of each part.
 * Records that cannot be imported are stored as problems. Throws `ImportError` for an archive that cannot be
 * used at all.
 */
export async function importArchive(
  deps: ImportArchiveDeps,
  wanted: Import,
  signal: AbortSignal,
): Promise<void> {
  const folder = join(deps.workFolder, `import-${randomUUID()}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await unpack(deps, wanted, folder, signal)
    const given = await readProjectFile(join(folder, PROJECT_FILE))
    const unpacked = { wanted, folder, given, ...(await checkImporter(deps.database, wanted)) }
    await unbundle(deps.repositories, wanted.project_id, folder, signal)
    await deps.addWiki(wanted.project_id, () =>
      unbundleWiki(deps.wikiRepositories, wanted.project_id, folder, signal),
    )
    await adoptBranch(deps, unpacked)
    await applySettings(deps, unpacked)
    await importParts(deps, unpacked, signal)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function unpack(
  { blobs, parts }: ImportArchiveDeps,
  { archive_key: key }: Import,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const names = parts.map(({ name }) => name)
    const known = { maxBytesOf: maxBytesOf(names), limits: ARCHIVE_LIMITS, signal }
    await unpackKnownFiles(await blobs.read(key ?? ''), folder, known)
  } catch (error) {
    if (error instanceof UnsafeArchiveError || error instanceof UnreadableArchiveError) {
      throw new ImportError(error.message, { cause: error })
    }
    if (!(error instanceof BlobMissingError)) throw error
    throw new ImportError('The archive is incomplete: import it again', { cause: error })
  }
}

/** Adopts the default branch of the archive, or one with a usual name, or any branch. */
async function adoptBranch(
  { database, repositories }: ImportArchiveDeps,
  { project, given }: Unpacked,
): Promise<void> {
  if (project.default_branch !== null) return
  const branches = (await repositories.listRefs(project.id, 'branch')).map(({ ref }) => ref)
  const wanted = [given.default_branch, 'main', 'master']
  const branch = wanted.find((name) => name !== undefined && branches.includes(name)) ?? branches[0]
  if (branch === undefined) return
  await repositories.setHead(project.id, branch)
  await updateProject(database, project.id, { default_branch: branch })
}

const readSettings = readerFor(TransferredSettings)

/**
 * Applies the settings of the archive, overridden by those of the request. The visibility is limited by the
 * namespace, and by what administrators restrict.
 */
async function applySettings(deps: ImportArchiveDeps, unpacked: Unpacked): Promise<void> {
  const { database } = deps
  const { wanted, given, folder } = unpacked
  const said = readSettings(JSON.parse(wanted.settings ?? '{}') as Record<string, unknown>)
  const isApplied = await orWarn(database, { wanted, part: 'project', line: 1 }, () =>
    edit(deps, unpacked, { ...readSettings(given.settings), ...said }),
  )
  if (!isApplied) await edit(deps, unpacked, said)
  await orWarn(database, { wanted, part: 'avatar', line: 1 }, () =>
    applyAvatar(deps, unpacked, join(folder, AVATAR_FILE)),
  )
}

async function edit(
  deps: ImportArchiveDeps,
  { project, importer }: Unpacked,
  settings: TransferredSettings,
): Promise<void> {
  if (Object.keys(settings).length === 0) return
  const namespace = await findNamespace(deps.database, project.namespace_id)
  const { visibility } = settings
  const open =
    namespace && visibility
      ? { visibility: await unrestricted(deps.database, closed(visibility, namespace), importer) }
      : {}
  await editProject(deps, project, { ...settings, ...open }, { user: importer, accessLevel: OWNER })
}

async function applyAvatar(
  deps: ImportArchiveDeps,
  { project, given }: Unpacked,
  path: string,
): Promise<void> {
  const size = await sizeIfThere(path)
  if (size === undefined || project.avatar_key !== null) return
  const image = { filename: given.avatar ?? AVATAR_FILE, size, open: () => createReadStream(path) }
  await changeAvatar(deps, project, image)
}

/** Imports the parts, starting where an earlier attempt was interrupted. */
async function importParts(deps: ImportArchiveDeps, unpacked: Unpacked, signal: AbortSignal): Promise<void> {
  const all = withFiles(deps, unpacked.folder)
  const first = Math.max(
    0,
    all.findIndex(({ name }) => name === unpacked.wanted.part),
  )
  for (const part of all.slice(first)) await importPart(deps, unpacked, part, signal)
}

/** Files come first, because notes may show uploads; webhooks come last. */
function withFiles(deps: ImportArchiveDeps, folder: string): TransferPart[] {
  return [uploadPart(deps, folder), lfsPart(deps, folder), ...deps.parts]
}

async function importPart(
  { database }: ImportArchiveDeps,
  { wanted, folder, project, importer }: Unpacked,
  part: TransferPart,
  signal: AbortSignal,
): Promise<void> {
  // The project after its settings were applied.
  const current = (await findProject(database, project.id)) ?? project
  const isBegun = wanted.part === part.name
  if (!isBegun) await markProgress(database, wanted, part, 1)
  for await (const { line, record } of readRecords(join(folder, partFile(part.name)))) {
    if (isBegun && line < wanted.line) continue
    signal.throwIfAborted()
    await orWarn(database, { wanted, part: part.name, line }, async () => {
      // An earlier attempt may have written the line at which it was interrupted.
      const mayBeThere = isBegun && line === wanted.line
      if (mayBeThere && (await isThere(part, current, record))) return
      await part.write({ project: current, importer }, record)
    })
    await markProgress(database, wanted, part, line + 1)
  }
  await part.finish?.({ project: current, importer })
}

/** Records that all lines before this one are imported. */
async function markProgress(
  database: Database,
  { id }: Import,
  { name }: TransferPart,
  line: number,
): Promise<void> {
  const isWanted = await recordProgress(database, id, { part: name, line })
  if (!isWanted) throw new ImportError('The project no longer exists')
}

async function isThere(part: TransferPart, project: Project, record: unknown): Promise<boolean> {
  const identity = part.identityOf(record)
  for await (const own of part.read(project)) if (part.identityOf(own) === identity) return true
  return false
}

/**
 * Runs `act`. A refused record is stored as a problem, and the function returns false; any other error ends
 * the import.
 */
async function orWarn(
  database: Database,
  { wanted, part, line }: { wanted: Import; part: string; line: number },
  act: () => Promise<void>,
): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const message = JSON.stringify(error.body).slice(0, 500)
    await recordProblem(database, wanted.project_id, { part, line, message })
    return false
  }
}
