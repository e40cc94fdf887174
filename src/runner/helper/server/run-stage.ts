import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { UploadPlan } from '../../artifacts/artifact-archive.js'
import type { OpenContent } from '../../artifacts/upload-attempt.js'
import { type CacheStores, createCacheStores } from '../../cache/cache-stores.js'
import { CoordinatorClient } from '../../client/coordinator-client.js'
import type { TlsFiles } from '../../client/http-transport.js'
import { uploadOrKeep } from '../../job/deliver-kept.js'
import type { DamagedCaches } from '../../job/journal/job-journal.js'
import { type RecordedOutcome, recordOutcome } from '../../job/journal/job-state.js'
import { outcomeOf } from '../../job/outcome.js'
import { readFileStage } from '../../job/stages/file-stage.js'
import { runFileStage } from '../../job/stages/file-stages.js'
import type { JobLog } from '../../trace/job-log.js'
import { valuesOf } from '../../variables/job-variables.js'
import type { Workspace } from '../../workspace/workspace.js'
import type { FileStageParams, StageRegistration } from '../protocol/calls.js'
import { recordError } from '../protocol/recorded-error.js'
import type { ServedRequest } from './served-request.js'

interface StageContext {
  workspace: Workspace
  log: JobLog
  request: ServedRequest
  /** For downloads, archives and certificates. The job has no access. */
  directory: string
}

/** Runs a file stage as the runner does for other jobs, with clients of its own for the coordinator and the caches. */
export async function runStage(
  params: FileStageParams,
  { workspace, log, request, directory }: StageContext,
): Promise<RecordedOutcome> {
  const { payload, registration, timings, isSuccess } = params
  const tls = await writeTlsFiles(registration, directory)
  const client = new CoordinatorClient({ url: registration.url, systemId: '', token: '', tls })
  const values = valuesOf(params.variables)
  const job = {
    payload,
    client,
    job: payload,
    workspace,
    log,
    timings,
    registration,
    control: request.signals,
    temporaryDir: directory,
    variables: { list: params.variables, files: [], values, get: (name: string) => values.get(name) },
    caches: cacheStores(registration, directory, client, log),
    damagedCaches: damagedCaches(params.damagedCaches, request),
  }
  const steps = { storeArtifactForLater: storeArtifactInRunner(request) }
  try {
    const outcome = await runFileStage(job, readFileStage(params.stage), isSuccess, (needs, artifact) =>
      uploadOrKeep({ ...needs, steps }, artifact),
    )
    return recordOutcome(outcome)
  } catch (error) {
    return recordOutcome(outcomeOf(error))
  } finally {
    await client.destroy()
  }
}

async function writeTlsFiles({ tls }: StageRegistration, directory: string): Promise<TlsFiles> {
  const write = async (name: string, content: string) => {
    const path = join(directory, name)
    await rm(path, { force: true })
    await writeFile(path, content, { mode: 0o600, flag: 'wx' })
    return path
  }
  return {
    ...(tls.ca === undefined ? {} : { caFile: await write('ca.pem', tls.ca) }),
    ...(tls.cert === undefined ? {} : { certFile: await write('cert.pem', tls.cert) }),
    ...(tls.key === undefined ? {} : { keyFile: await write('key.pem', tls.key) }),
  }
}

/** A store in a folder ends with the pod, which a user cannot guess from the messages about local caches. */
function cacheStores(
  { url, shortToken, cache, cacheProblem }: StageRegistration,
  directory: string,
  client: CoordinatorClient,
  log: JobLog,
): CacheStores {
  const stores = createCacheStores({
    registration: { url, token: shortToken, cache },
    dataDir: directory,
    temporaryDir: directory,
    client,
  })
  return {
    storeFor: (payload, options) => {
      if (cacheProblem !== undefined) throw new Error(cacheProblem)
      const store = stores.storeFor(payload, options)
      if (!store.isShared) {
        log.warning(
          'The runner has no shared cache ([runners.cache]), and the cache of a pod ends with the pod.',
        )
      }
      return store
    },
  }
}

function damagedCaches(known: readonly string[], request: ServedRequest): DamagedCaches {
  const keys = new Set(known)
  return {
    has: (key) => keys.has(key),
    add: async (key) => {
      keys.add(key)
      await request.call('addDamagedCache', { key })
    },
  }
}

/** The bytes of the artifact go to the runner, which outlives the pod. */
function storeArtifactInRunner(request: ServedRequest) {
  return async (plan: UploadPlan, open: OpenContent, signal: AbortSignal): Promise<void> => {
    await request.call('beginArtifact', { plan })
    const transfer = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        request.sendData('artifact', chunk).then(() => done(), done)
      },
    })
    try {
      await pipeline(await open(), transfer, { signal })
    } catch (error) {
      await request.call('failArtifact', { error: recordError(error) })
      throw error
    }
    await request.call('endArtifact', {})
  }
}
