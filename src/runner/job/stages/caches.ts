import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

import { digestOfZip } from '../../../archive/content-digest.js'
import { messageOf } from '../../../lib/errors.js'
import { pause } from '../../../lib/pause.js'
import { MINUTE } from '../../../lib/time-units.js'
import type { JobCache, JobPayload } from '../../../protocol/job-payload.js'
import {
  type CacheAddress,
  type CacheArchive,
  type CacheStore,
  type FoundCache,
  hashKey,
  newArchiveFile,
  sanitizeKey,
  type Transfer,
} from '../../cache/cache-store.js'
import { attemptsSetting, booleanSetting, choiceSetting, expandText } from '../../variables/job-variables.js'
import type { CompressionLevel, FileSelection, SelectedFiles } from '../../workspace/workspace.js'
import type { JobContext } from '../job-context.js'
import { failedScript, type JobOutcome, SUCCESS } from '../outcome.js'
import { isProtectedJob } from '../prepare-executor.js'
import { hasFilesFor, selectsFiles } from './file-stage.js'
import { inStage, logSelection, type OwnWorkspace, STAGES, type StageSignals } from './stage.js'

type Needs = Pick<JobContext, 'payload' | 'caches' | 'damagedCaches' | 'variables' | 'log' | 'timings'> &
  OwnWorkspace &
  StageSignals

const MAX_STAGE_RETRY_DELAY = 5 * MINUTE

/** Restores the caches of the job that exist. A cache that cannot be restored does not fail the job. */
export async function restoreCaches(job: Needs): Promise<JobOutcome> {
  const { payload, variables, log } = job
  if (!hasFilesFor('restore_caches', payload)) return SUCCESS
  return inStage(log, STAGES.restoreCache, async () => {
    const warn = (text: string) => log.warning(text)
    const plan = planCaches(payload, variables.values, warn)
    if (plan.kind === 'invalid') {
      log.error(plan.problem)
      return failedScript(1)
    }
    const attempts = attemptsSetting(variables.values, 'RESTORE_CACHE_ATTEMPTS', warn)
    for (const cache of plan.caches) await restoreWithAttempts(job, cache, attempts)
    return SUCCESS
  })
}

async function restoreWithAttempts(job: Needs, cache: PlannedCache, attempts: number): Promise<void> {
  const { log, control, timings } = job
  if (!cache.mayPull) {
    log.plain(`Not downloading cache ${cache.key} due to policy`)
    return
  }
  for (let attempt = 1; (await restoreFirst(job, cache)) === 'failed' && attempt < attempts; attempt++) {
    log.warning('Retrying...')
    await pause(Math.min(timings.stageRetry * 2 ** (attempt - 1), MAX_STAGE_RETRY_DELAY), control.work)
    control.work.throwIfAborted()
  }
}

/** `failed`: an error occurred and no other key had a cache. Another attempt may succeed. */
type Restored = 'restored' | 'missing' | 'failed'

async function restoreFirst(job: Needs, cache: PlannedCache): Promise<Restored> {
  let result: Restored = 'missing'
  for (const key of [cache.key, ...cache.fallbackKeys]) {
    const restored = await restore(job, key)
    if (restored === 'restored') return restored
    if (restored === 'failed') result = restored
  }
  return result
}

async function restore(job: Needs, key: string): Promise<Restored> {
  const { log, control } = job
  log.plain(`Checking cache for ${key}...`)
  try {
    const store = cacheStoreOf(job)
    const transfer = cacheTransfer(job, control.work)
    const found = await store.find(cacheAddress(job, key), transfer)
    if (!found) {
      log.plain('There is no cache with this key')
      log.warning('Failed to extract cache')
      return 'missing'
    }
    logSource(job, store, found)
    await unpack(job, key, found, transfer)
    log.plain('Successfully extracted cache')
    return 'restored'
  } catch (error) {
    control.work.throwIfAborted()
    log.warning(messageOf(error))
    log.warning('Failed to extract cache')
    return 'failed'
  }
}

function logSource({ log }: Needs, store: CacheStore, found: FoundCache): void {
  if (!store.isShared) {
    log.plain(
      'No URL provided, cache will not be downloaded from shared cache server. Instead a local version of cache will be extracted.',
    )
  } else if (found.isUpToDate) log.plain('cache.zip is up to date')
  else log.plain(`Downloaded the cache from: ${store.name}`)
}

async function unpack(job: Needs, key: string, found: FoundCache, { signal }: Transfer): Promise<void> {
  try {
    const { refused } = await job.workspace.extractZip(found.file, signal)
    for (const name of refused)
      job.log.warning(`${name}: is not a file, a directory or a link, and is skipped`)
  } catch (error) {
    await job.damagedCaches.add(key)
    throw error
  } finally {
    await found.release()
  }
}

type SaveNeeds = Needs & Pick<JobContext, 'temporaryDir'>

const LEVELS = ['fastest', 'fast', 'default', 'slow', 'slowest'] as const

/**
 * Saves the caches whose `when` matches the result of the job. A cache that cannot be saved does not fail the job.
 */
export async function saveCaches(job: SaveNeeds, isSuccess: boolean): Promise<JobOutcome> {
  const { payload, variables, log } = job
  const warnings: string[] = []
  const plan = planCaches(payload, variables.values, (text) => warnings.push(text))
  const caches = plan.kind === 'caches' ? plan.caches.filter((cache) => isWanted(cache, isSuccess)) : []
  if (plan.kind === 'caches' && caches.length === 0) return SUCCESS
  return inStage(log, isSuccess ? STAGES.saveCache : STAGES.saveCacheOnFailure, async () => {
    for (const text of warnings) log.warning(text)
    if (plan.kind === 'invalid') {
      log.error(plan.problem)
      return failedScript(1)
    }
    warnOfFormat(job)
    for (const cache of caches) await saveUnlessRefused(job, cache)
    return SUCCESS
  })
}

function isWanted({ when }: PlannedCache, isSuccess: boolean): boolean {
  return when === 'always' || (when === 'on_success') === isSuccess
}

function warnOfFormat({ variables, log }: Needs): void {
  const format = variables.get('CACHE_COMPRESSION_FORMAT') || 'zip'
  if (format !== 'zip') log.warning(`CACHE_COMPRESSION_FORMAT: "${format}" is not supported, using zip`)
}

async function saveUnlessRefused(job: SaveNeeds, cache: PlannedCache): Promise<void> {
  const { log, control } = job
  if (!cache.mayPush) {
    log.plain(`Not uploading cache ${cache.key} due to policy`)
    return
  }
  log.plain(`Creating cache ${cache.key}...`)
  try {
    await save(job, cache)
  } catch (error) {
    control.files.throwIfAborted()
    log.warning(messageOf(error))
    log.warning('Failed to create cache')
  }
}

async function save(job: SaveNeeds, { key, selection }: PlannedCache): Promise<void> {
  const { workspace, log, control } = job
  const files = await workspace.selectFiles(selection, control.files)
  logSelection(job, files, 'cached')
  if (files.names.length === 0) {
    log.plain('No files to cache.')
    return
  }
  const store = cacheStoreOf(job)
  const transfer = cacheTransfer(job, control.files)
  const known = job.damagedCaches.has(key)
    ? undefined
    : await store.contentOf(cacheAddress(job, key), transfer)
  const content = await workspace.contentDigest?.(files, control.files)
  if (known !== undefined && known === content) {
    log.plain('Archive is up to date!')
  } else {
    await zipAndStore(job, { key, files, content, known, store, transfer })
  }
  log.plain('Created cache')
}

interface Saving {
  key: string
  files: SelectedFiles
  /** Digest of the content. Undefined if it can only be computed from the archive. */
  content: string | undefined
  /** Digest of the content that the store already has. */
  known: string | undefined
  store: CacheStore
  transfer: Transfer
}

async function zipAndStore(job: SaveNeeds, saving: Saving): Promise<void> {
  const { log, control } = job
  const file = newArchiveFile(job.temporaryDir)
  try {
    const archive = await createArchive(job, file, saving)
    control.files.throwIfAborted()
    if (archive.content === saving.known) {
      log.plain('Archive is up to date!')
      return
    }
    await storeArchive(job, archive, saving)
  } finally {
    await rm(file, { force: true })
  }
}

async function createArchive(
  job: SaveNeeds,
  file: string,
  { files, content }: Saving,
): Promise<CacheArchive> {
  const { workspace, control } = job
  const signal = control.files
  const zip = workspace.zip(files, compressionLevel(job), signal)
  await pipeline(zip, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }), { signal })
  const { size } = await stat(file)
  return { file, size, content: content ?? (await digestOfZip(file, signal)) }
}

async function storeArchive(
  job: SaveNeeds,
  archive: CacheArchive,
  { key, store, transfer }: Saving,
): Promise<void> {
  const { log } = job
  const saved = await store.save(cacheAddress(job, key), archive, transfer)
  if (!store.isShared) {
    log.plain(
      'No URL provided, cache will not be uploaded to shared cache server. Cache will be stored only locally.',
    )
  } else if (saved === 'kept-here') {
    log.warning(
      `The archive has ${archive.size} bytes, more than MaxUploadedArchiveSize. It is stored on this machine only.`,
    )
  } else log.plain(`Uploaded the cache to: ${store.name}`)
}

function compressionLevel({ variables, log }: Needs): CompressionLevel {
  const warn = (text: string) => log.warning(text)
  return choiceSetting(variables.values, 'CACHE_COMPRESSION_LEVEL', LEVELS, 'default', warn)
}

type Values = ReadonlyMap<string, string>
type Warn = (text: string) => void

/** One cache of a job, ready to be restored and saved. */
export interface PlannedCache {
  key: string
  /** Keys to try, in this order, if there is no cache under `key`. */
  fallbackKeys: string[]
  selection: FileSelection
  mayPull: boolean
  mayPush: boolean
  when: 'on_success' | 'on_failure' | 'always'
}

/** The caches, or a problem with one of them that fails the stage (runner protocol, 2.11). */
type CachePlan = { kind: 'caches'; caches: PlannedCache[] } | { kind: 'invalid'; problem: string }

const POLICIES: Record<string, Pick<PlannedCache, 'mayPull' | 'mayPush'>> = {
  'pull-push': { mayPull: true, mayPush: true },
  pull: { mayPull: true, mayPush: false },
  push: { mayPull: false, mayPush: true },
}

/** Expands and checks the cache settings of a job. Caches without files or without a key are skipped. */
export function planCaches(payload: JobPayload, values: Values, warn: Warn): CachePlan {
  const caches: PlannedCache[] = []
  for (const cache of payload.cache ?? []) {
    if (!selectsFiles(cache)) continue
    const named = expandText(cache.policy || 'pull-push', values)
    const policy = POLICIES[named]
    if (!policy) return { kind: 'invalid', problem: `unknown cache policy "${named}"` }
    const key = plannedKey(cache.key || defaultKey(payload), values, warn)
    if (key === '') continue
    caches.push({
      key,
      fallbackKeys: fallbackKeys(cache, values, warn).filter((fallback) => fallback !== key),
      selection: selectionOf(cache, values),
      ...policy,
      when: whenOf(cache),
    })
  }
  return { kind: 'caches', caches }
}

function hasHashedKeys(values: Values, warn: Warn): boolean {
  return booleanSetting(values, 'FF_HASH_CACHE_KEYS', false, warn)
}

function defaultKey({ job_info, git_info }: JobPayload): string {
  return `${job_info.name}/${git_info.ref}`
}

function plannedKey(text: string, values: Values, warn: Warn): string {
  const expanded = expandText(text, values)
  if (hasHashedKeys(values, () => {})) return expanded === '' ? '' : hashKey(expanded)
  const key = sanitizeKey(expanded)
  if (key !== expanded) warn(`cache key "${expanded}" sanitized to "${key}"`)
  return key
}

/**
 * No coordinator appends a suffix to the value of `CACHE_FALLBACK_KEY`, so it is done here. The variable must not end in
 * `-protected` itself, or a job could read protected caches.
 */
function fallbackKeys(cache: JobCache, values: Values, warn: Warn): string[] {
  const own = (cache.fallback_keys ?? []).map((key) => plannedKey(key, values, warn))
  const variable = expandText(values.get('CACHE_FALLBACK_KEY') ?? '', values)
  if (/-protected$/.test(variable.replace(/[. ]+$/, ''))) {
    warn(`CACHE_FALLBACK_KEY "${variable}" must not end in "-protected"`)
    return own.filter((key) => key !== '')
  }
  const suffixes = variable === '' ? [] : suffixesOf(cache)
  const keys = suffixes.map((suffix) => plannedKey(variable + suffix, values, warn))
  return [...own, ...keys].filter((key) => key !== '')
}

/**
 * The suffixes for keys of the same kind as that of the cache. A coordinator that does not name its suffix may add one only
 * if caches of protected refs are separate, so the key without it is tried as well.
 */
function suffixesOf({ key, key_suffix }: JobCache): string[] {
  if (key_suffix !== undefined) return [key_suffix]
  const [suffix] = /-(non_)?protected$/.exec(key) ?? []
  return suffix === undefined ? [''] : [suffix, '']
}

function selectionOf({ paths, untracked }: JobCache, values: Values): FileSelection {
  return {
    paths: (paths ?? []).map((path) => expandText(path, values)),
    exclude: [],
    untracked: untracked ?? false,
  }
}

function whenOf({ when }: JobCache): PlannedCache['when'] {
  return when === 'on_failure' || when === 'always' ? when : 'on_success'
}

/** Default of `CACHE_REQUEST_TIMEOUT` (runner protocol, 7.9). */
const DEFAULT_TIMEOUT_MINUTES = 10

type TransferNeeds = Pick<JobContext, 'payload' | 'caches' | 'variables' | 'log' | 'timings'>

function cacheStoreOf({ payload, caches, variables }: TransferNeeds): CacheStore {
  return caches.storeFor(payload, { hasHashedKeys: hasHashedKeys(variables.values, () => {}) })
}

function cacheAddress({ payload }: TransferNeeds, key: string): CacheAddress {
  return { projectId: payload.job_info.project_id, isProtected: isProtectedJob(payload), key }
}

function cacheTransfer({ variables, log, timings }: TransferNeeds, signal: AbortSignal): Transfer {
  const text = variables.get('CACHE_REQUEST_TIMEOUT') ?? ''
  const minutes = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : DEFAULT_TIMEOUT_MINUTES
  if (text !== '' && text !== String(minutes)) {
    log.warning(`CACHE_REQUEST_TIMEOUT: "${text}" is not a number of minutes, using ${minutes}`)
  }
  return { signal, timeout: minutes * 60_000, retryDelay: timings.downloadRetry }
}
