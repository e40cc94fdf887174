import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

import { digestOfZip } from '../../../archive/content-digest.js'
import { messageOf } from '../../../lib/errors.js'
import type { CacheArchive, CacheStore, Transfer } from '../../cache/cache-store.js'
import { newArchiveFile } from '../../cache/local-store.js'
import { choiceSetting } from '../../variables/variable-settings.js'
import type { CompressionLevel, SelectedFiles } from '../../workspace/workspace.js'
import type { JobContext } from '../job-context.js'
import { failedScript, type JobOutcome, SUCCESS } from '../outcome.js'
import { logSelection } from './log-selection.js'
import { cacheAddress, cacheStoreOf, cacheTransfer, planCaches, type PlannedCache } from './plan-caches.js'
import { inStage, STAGES } from './stage.js'

type Needs = Pick<
  JobContext,
  | 'payload'
  | 'caches'
  | 'damagedCaches'
  | 'workspace'
  | 'variables'
  | 'log'
  | 'control'
  | 'timings'
  | 'temporaryDir'
>

const LEVELS = ['fastest', 'fast', 'default', 'slow', 'slowest'] as const

/**
 * Saves the caches whose `when` matches the result of the job. A cache that cannot be saved does not fail the job.
 */
export async function saveCaches(job: Needs, isSuccess: boolean): Promise<JobOutcome> {
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

async function saveUnlessRefused(job: Needs, cache: PlannedCache): Promise<void> {
  const { log, control } = job
  if (!cache.mayPush) {
    log.plain(`Not uploading cache ${cache.key} due to policy`)
    return
  }
  log.plain(`Creating cache ${cache.key}...`)
  try {
    await save(job, cache)
  } catch (error) {
    control.whole.throwIfAborted()
    log.warning(messageOf(error))
    log.warning('Failed to create cache')
  }
}

async function save(job: Needs, { key, selection }: PlannedCache): Promise<void> {
  const { workspace, log, control } = job
  const files = await workspace.selectFiles(selection)
  logSelection(job, files, 'cached')
  if (files.names.length === 0) {
    log.plain('No files to cache.')
    return
  }
  const store = cacheStoreOf(job)
  const transfer = cacheTransfer(job, control.whole)
  const known = job.damagedCaches.has(key)
    ? undefined
    : await store.contentOf(cacheAddress(job, key), transfer)
  const content = await workspace.contentDigest?.(files, control.whole)
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

async function zipAndStore(job: Needs, saving: Saving): Promise<void> {
  const { log, control } = job
  const file = newArchiveFile(job.temporaryDir)
  try {
    const archive = await createArchive(job, file, saving)
    control.whole.throwIfAborted()
    if (archive.content === saving.known) {
      log.plain('Archive is up to date!')
      return
    }
    await storeArchive(job, archive, saving)
  } finally {
    await rm(file, { force: true })
  }
}

async function createArchive(job: Needs, file: string, { files, content }: Saving): Promise<CacheArchive> {
  const { workspace, control } = job
  const zip = workspace.zip(files, compressionLevel(job))
  const signal = control.whole
  await pipeline(zip, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }), { signal })
  const { size } = await stat(file)
  return { file, size, content: content ?? (await digestOfZip(file, signal)) }
}

async function storeArchive(
  job: Needs,
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
