import { createHash } from 'node:crypto'
import { type BigIntStats, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { isMissingFile } from '../../lib/files.js'

/*
 * The refs of repositories at the moment of a backup. Coordinators cannot begin a push in that moment and wait, so it has to be
 * brief: refs are read before, and in the moment only those are read again whose folders have changed since. A ref changes
 * through a lock file that is renamed, so the time of its folder changes too. The calls are synchronous because
 * asynchronous ones take five times as long.
 */

/** Folders of the data folder that have repositories. */
const REPOSITORY_FOLDERS = ['repositories', 'wikis', 'group-wikis', 'snippets'] as const

export interface RepositoryRefs {
  /** Path in the data folder. */
  path: string
  /** Files of the repository that say what its refs are. */
  files: Map<string, string>
  /** Object IDs by the full name of their ref. */
  refs: Map<string, string>
  /** Changes with every change of a ref. */
  mark: string
}

/** File systems note times in steps of up to 10 ms, or a second on old ones: a later change may have the same time. */
const COARSEST_TIME = 1000

/** The refs of all repositories. `before` are those of an earlier call, which began at `since`. */
export function readAllRefs(
  dataDir: string,
  before: ReadonlyMap<string, RepositoryRefs> = new Map(),
  since = 0,
): Map<string, RepositoryRefs> {
  const all = new Map<string, RepositoryRefs>()
  for (const path of repositoryPaths(dataDir)) {
    const known = before.get(path)
    const isSame = known !== undefined && isUnchanged(join(dataDir, path), known, since)
    const refs = isSame ? known : readRefs(dataDir, path)
    if (refs) all.set(path, refs)
  }
  return all
}

/** Paths of all repositories in the data folder. */
export function repositoryPaths(dataDir: string): string[] {
  return REPOSITORY_FOLDERS.flatMap((folder) =>
    namesIn(join(dataDir, folder)).flatMap((shard) =>
      namesIn(join(dataDir, folder, shard))
        .filter((name) => /^\d+\.git$/.test(name))
        .map((name) => `${folder}/${shard}/${name}`),
    ),
  )
}

const IN_REPOSITORY = new RegExp(`^(?:${REPOSITORY_FOLDERS.join('|')})/[^/]+/[^/]+\\.git`)

/** The path of the repository that contains a file of the data folder. Undefined for other files. */
export function repositoryOf(path: string): string | undefined {
  return IN_REPOSITORY.exec(path)?.[0]
}

/** Undefined if there is no repository. */
function readRefs(dataDir: string, path: string): RepositoryRefs | undefined {
  const gitDir = join(dataDir, path)
  const mark = markOf(gitDir)
  const head = readIfPresent(join(gitDir, 'HEAD'))
  if (head === undefined) return undefined
  const files = new Map([['HEAD', head]])
  const config = readIfPresent(join(gitDir, 'config'))
  if (config !== undefined) files.set('config', config)
  const loose = new Map<string, string>()
  readLoose(gitDir, 'refs', loose)
  // After the loose refs, as git does: a ref that is packed in between is in one of them.
  const refs = packedRefs(readIfPresent(join(gitDir, 'packed-refs')) ?? '')
  for (const [name, text] of loose) {
    if (text.startsWith('ref: ')) files.set(name, text)
    else refs.set(name, text.trim())
  }
  files.set('packed-refs', packedText(refs))
  return { path, files, refs, mark }
}

function isUnchanged(gitDir: string, { mark }: RepositoryRefs, since: number): boolean {
  const times: number[] = []
  return markOf(gitDir, times) === mark && times.every((time) => time < since - COARSEST_TIME)
}

/** @param times receives the times in the mark, in milliseconds */
function markOf(gitDir: string, times: number[] = []): string {
  const digest = createHash('sha1')
  const add = (path: string): void => {
    const stats = statOf(join(gitDir, path))
    if (!stats) return
    times.push(Number(stats.mtimeMs))
    digest.update(`${path}\0${stats.mtimeNs}\0${stats.size}\0${stats.ino}\n`)
  }
  add('HEAD')
  add('config')
  add('packed-refs')
  addFolders(gitDir, 'refs', add)
  return digest.digest('hex')
}

function addFolders(gitDir: string, folder: string, add: (path: string) => void): void {
  add(folder)
  for (const entry of entriesIn(join(gitDir, folder))) {
    if (entry.isDirectory()) addFolders(gitDir, `${folder}/${entry.name}`, add)
  }
}

function readLoose(gitDir: string, folder: string, into: Map<string, string>): void {
  for (const entry of entriesIn(join(gitDir, folder))) {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) readLoose(gitDir, name, into)
    else if (!name.endsWith('.lock')) {
      const text = readIfPresent(join(gitDir, name))
      if (text) into.set(name, text)
    }
  }
}

/** Reads the format of `packed-refs`. Lines with `^` are what tags point to, which git finds itself. */
export function packedRefs(text: string): Map<string, string> {
  const refs = new Map<string, string>()
  for (const line of text.split('\n')) {
    const found = /^([0-9a-f]{40,64}) (.+)$/.exec(line)
    if (found?.[1] !== undefined && found[2] !== undefined) refs.set(found[2], found[1])
  }
  return refs
}

/** Writes the format of `packed-refs`; git expects the names in the order of their bytes. */
export function packedText(refs: ReadonlyMap<string, string>): string {
  const names = [...refs.keys()].toSorted((one, other) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other)),
  )
  return ['# pack-refs with: sorted ', ...names.map((name) => `${refs.get(name)} ${name}`), ''].join('\n')
}

/**
 * The part of a reflog up to the move to `id`, the ref at the moment of the backup. Git writes the log before it moves
 * the ref, and moves that belong to a later moment must not appear complete. Undefined if no move leads there.
 */
export function logUpTo(log: string, id: string): string | undefined {
  const lines = log.split('\n').slice(0, -1)
  const last = lines.findLastIndex((line) => line.split(' ')[1] === id)
  return last === -1 ? undefined : `${lines.slice(0, last + 1).join('\n')}\n`
}

export function readIfPresent(path: string): string | undefined {
  return unlessMissing(() => readFileSync(path, 'utf8'))
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { throwIfNoEntry: false, bigint: true })
}

function namesIn(folder: string): string[] {
  return unlessMissing(() => readdirSync(folder)) ?? []
}

function entriesIn(folder: string) {
  return unlessMissing(() => readdirSync(folder, { withFileTypes: true })) ?? []
}

/** Git removes folders and files of refs while they are read. */
function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    const isOtherKind = error instanceof Error && 'code' in error && OTHER_KINDS.has(String(error.code))
    if (isMissingFile(error) || isOtherKind) return undefined
    throw error
  }
}

/** A folder of refs became a ref, or a ref a folder. */
const OTHER_KINDS = new Set(['ENOTDIR', 'EISDIR'])
