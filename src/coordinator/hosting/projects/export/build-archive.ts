import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addAbortSignal, pipeline as connect, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

import { type TarItem, writeTar } from '../../../../archive/tar-writer.js'
import { GitError } from '../../../../git/errors.js'
import { MERGE_REQUEST_HEADS } from '../../../../git/names.js'
import { runGit } from '../../../../git/run-git.js'
import { DamageError } from '../../../../lib/damage.js'
import type { Project } from '../../../access/caller.js'
import type { BlobStore } from '../../../ci/storage/blob-store.js'
import { unlessDeleted } from '../../../ci/storage/unless-deleted.js'
import type { Database } from '../../../database/connect.js'
import type { TransferPart } from '../../../http/archive-part.js'
import { Avatars } from '../../avatars/avatars.js'
import { allObjects, hasObject, readLfsObject } from '../../lfs/objects.js'
import { isRepository } from '../../repositories/is-repository.js'
import type { Repositories } from '../../repositories/repositories.js'
import { memorySettings } from '../../repositories/service-settings.js'
import { topicNames } from '../../topic-store.js'
import { allUploads, findUploadBySecret, openUpload } from '../uploads/uploads.js'
import {
  AVATAR_FILE,
  BUNDLE_FILE,
  FORMAT,
  FORMAT_VERSION,
  LFS_FILE,
  LFS_FOLDER,
  type LfsObjectRecord,
  partFile,
  PROJECT_FILE,
  type ProjectFile,
  type UploadRecord,
  UPLOADS_FILE,
  UPLOADS_FOLDER,
  WIKI_FILE,
} from './archive-format.js'
import { ExportError } from './export-error.js'
import { settingsOf } from './settings-of.js'

export interface ArchiveDeps {
  database: Database
  blobs: BlobStore
  repositories: PackedRepositories
  /** Repositories of wikis, by the IDs of their projects. */
  wikiRepositories: PackedRepositories
  /** Parts of a project besides its repository, in the order of their import. */
  parts: TransferPart[]
}

type PackedRepositories = Pick<Repositories, 'path' | 'withSlot' | 'isEmpty'>

const OWNER = { uid: 0, gid: 0 }
const MODE = 0o644

/**
 * Streams the archive of a project (`archive-format.ts`). Files of unknown length are first written to
 * `folder`, which must exist until the stream ends. Throws `ExportError` if the repository cannot be packed.
 */
export async function buildArchive(
  deps: ArchiveDeps,
  project: Project,
  description: string | null,
  folder: string,
  signal: AbortSignal,
): Promise<Readable> {
  const text = JSON.stringify(await describe(deps.database, project, description), undefined, 2)
  await writeFile(join(folder, PROJECT_FILE), text)
  const names = [PROJECT_FILE]
  for (const part of deps.parts) {
    names.push(partFile(part.name))
    await writeLines(join(folder, partFile(part.name)), part.read(project), signal)
  }
  await writeLines(join(folder, UPLOADS_FILE), uploadRecords(deps.database, project.id), signal)
  await writeLines(join(folder, LFS_FILE), lfsRecords(deps.database, project.id), signal)
  names.push(UPLOADS_FILE, LFS_FILE)
  const { repositories, wikiRepositories } = deps
  const refs = ['--branches', '--tags', `--glob=${MERGE_REQUEST_HEADS}`]
  const code = { repositories, refs, file: join(folder, BUNDLE_FILE) }
  if (await bundle(project, code, signal)) names.push(BUNDLE_FILE)
  const wiki = { repositories: wikiRepositories, refs: ['refs/heads/main'], file: join(folder, WIKI_FILE) }
  const hasWiki = await isRepository(wikiRepositories.path(project.id))
  if (hasWiki && (await bundle(project, wiki, signal))) names.push(WIKI_FILE)
  if (await saveAvatar(new Avatars(deps), project, join(folder, AVATAR_FILE))) names.push(AVATAR_FILE)
  return compressed(entries(deps, project, folder, names), signal)
}

async function describe(
  database: Database,
  project: Project,
  description: string | null,
): Promise<ProjectFile> {
  const settings = { ...settingsOf(project), topics: await topicNames(database, project.id) }
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    exported_at: new Date().toISOString(),
    path_with_namespace: project.full_path,
    default_branch: project.default_branch,
    settings: description === null ? settings : { ...settings, description },
    avatar: project.avatar_name,
  }
}

async function writeLines(file: string, records: AsyncIterable<object>, signal: AbortSignal): Promise<void> {
  await pipeline(records, toLines, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal })
}

async function* toLines(records: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`
}

async function* uploadRecords(database: Database, projectId: number): AsyncGenerator<UploadRecord> {
  for await (const { secret, filename } of allUploads(database, projectId)) yield { secret, filename }
}

async function* lfsRecords(database: Database, projectId: number): AsyncGenerator<LfsObjectRecord> {
  for await (const { oid, size } of allObjects(database, projectId)) yield { oid, size }
}

interface Bundle {
  repositories: PackedRepositories
  refs: readonly string[]
  file: string
}

/** False for a repository without branches and tags, since git creates no empty bundle. */
async function bundle(
  { id }: Project,
  { repositories, refs, file }: Bundle,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    if (await repositories.isEmpty(id)) return false
    const args = ['bundle', 'create', '--quiet', file, ...refs]
    const options = { settings: memorySettings, signal, isBackground: true }
    const gitDir = repositories.path(id)
    await repositories.withSlot(id, 'tasks', () => runGit(['--git-dir', gitDir, ...args], options), signal)
    return true
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof GitError)) throw error
    throw new ExportError(`The repository could not be packed: ${error.message}`, { cause: error })
  }
}

/** False without an avatar, and for one that has just been replaced. */
async function saveAvatar(avatars: Avatars, { avatar_key: key }: Project, file: string): Promise<boolean> {
  const content = key === null ? undefined : (await named('The avatar', () => avatars.read(key)))?.body
  if (content) await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  return content !== undefined
}

async function* entries(
  deps: ArchiveDeps,
  { id }: Project,
  folder: string,
  names: string[],
): AsyncGenerator<TarItem> {
  for (const name of names) yield { kind: 'tree', name, root: join(folder, name), owner: OWNER }
  for await (const upload of allUploads(deps.database, id)) {
    const name = `${UPLOADS_FOLDER}/${upload.secret}`
    const isNamed = async () => (await findUploadBySecret(deps.database, upload.secret)) !== undefined
    const what = `The upload ${upload.filename}`
    const open = () => named(what, () => unlessDeleted(() => openUpload(deps, upload), isNamed))
    yield { kind: 'stream', name, owner: OWNER, mode: MODE, size: upload.size, open }
  }
  for await (const object of allObjects(deps.database, id)) {
    const { oid, size } = object
    const isNamed = () => hasObject(deps.database, id, oid)
    const opening = () => unlessDeleted(() => readLfsObject(deps.blobs, object), isNamed)
    const open = () => named(`The LFS object ${oid}`, opening)
    yield { kind: 'stream', name: `${LFS_FOLDER}/${oid}`, owner: OWNER, mode: MODE, size, open }
  }
}

/** Names a file that cannot be packed because it is damaged. */
async function named<T>(what: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof DamageError)) throw error
    throw new ExportError(`${what} could not be packed. ${error.shown}, or you can delete it`, {
      cause: error,
    })
  }
}

/** Uses the lowest compression level, because git has compressed most of the content. */
function compressed(items: AsyncIterable<TarItem>, signal: AbortSignal): Readable {
  const archive = createGzip({ level: 1 })
  // The reader of the stream gets the errors.
  connect(writeTar(items), addAbortSignal(signal, archive), () => undefined)
  return archive
}
