import { readFile } from 'node:fs/promises'

import { Type } from 'typebox'
import { Check } from 'typebox/value'

import { messageOf } from '../../../lib/errors.js'
import { TemporaryCredentials } from '../../../s3/temporary-credentials.js'
import type { CacheSettings } from '../../cache/cache-settings.js'
import type { TlsFiles } from '../../client/http-transport.js'
import { shortToken } from '../../client/runner-info.js'
import type { HelperStageJob } from '../../job/job-helper.js'
import { recallOutcome, RecordedUploadPlan } from '../../job/journal/job-state.js'
import type { JobOutcome } from '../../job/outcome.js'
import { planCaches } from '../../job/stages/caches.js'
import type { FileStage } from '../../job/stages/file-stage.js'
import type { WorkspaceRequest } from '../../workspace/workspace.js'
import type { StageRegistration } from '../protocol/calls.js'
import { HelperProtocolError } from '../protocol/errors.js'
import type { CallName } from '../protocol/messages.js'
import { recallError, RecordedError } from '../protocol/recorded-error.js'
import { ArtifactReceiver } from './artifact-receiver.js'
import type { MakeRequest } from './make-request.js'
import { StageLog } from './stage-log.js'

/** Runs a stage in the helper process. Its log, its artifacts for later and its damaged caches come back. */
export async function requestFileStage(
  request: MakeRequest,
  workspace: WorkspaceRequest,
  job: HelperStageJob,
  stage: FileStage,
  isSuccess: boolean,
): Promise<JobOutcome> {
  const { payload, variables, timings, log, control } = job
  const stageLog = new StageLog(log)
  const artifacts = new ArtifactReceiver(job.steps, control.files)
  const params = {
    workspace,
    stage,
    isSuccess,
    payload,
    variables: variables.list,
    registration: await stageRegistration(job),
    timings,
    damagedCaches: damagedKeys(job),
    hasSections: log.hasSections,
  }
  const savesFiles = stage === 'save_caches' || stage === 'upload_artifacts'
  const outcome = await request('runFileStage', params, {
    signals: savesFiles ? { work: control.work, files: control.files } : { work: control.work },
    receiver: {
      data: (bytes, stream) => (stream === 'artifact' ? artifacts.write(bytes) : stageLog.write(bytes)),
      call: async (name, argument) => await handleCall(name, argument, { job, stageLog, artifacts }),
    },
    onRepeat: () => {
      artifacts.drop()
      stageLog.beginAgain()
    },
  })
  return recallOutcome(outcome)
}

interface CallContext {
  job: HelperStageJob
  stageLog: StageLog
  artifacts: ArtifactReceiver
}

const StageArgument = Type.Object({ stage: Type.String({ maxLength: 255 }) })
const KeyArgument = Type.Object({ key: Type.String() })
const PlanArgument = Type.Object({ plan: RecordedUploadPlan })
const ErrorArgument = Type.Object({ error: RecordedError })

async function handleCall(name: CallName, argument: unknown, context: CallContext): Promise<void> {
  const { job, stageLog, artifacts } = context
  if (name === 'enterStage' && Check(StageArgument, argument)) stageLog.enter(argument.stage)
  else if (name === 'leaveStage' && Check(StageArgument, argument)) stageLog.leave(argument.stage)
  else if (name === 'addDamagedCache' && Check(KeyArgument, argument))
    await job.damagedCaches.add(argument.key)
  else if (name === 'beginArtifact' && Check(PlanArgument, argument)) await artifacts.begin(argument.plan)
  else if (name === 'failArtifact' && Check(ErrorArgument, argument))
    await artifacts.fail(recallError(argument.error))
  else if (name === 'endArtifact') await artifacts.end()
  else throw new HelperProtocolError(`The helper asked for "${name}" in an unknown format`)
}

/** The helper has no journal. Only keys of caches that the job itself saves matter. */
function damagedKeys({ payload, variables, damagedCaches }: HelperStageJob): string[] {
  const plan = planCaches(payload, variables.values, () => {})
  if (plan.kind === 'invalid') return []
  return plan.caches.map(({ key }) => key).filter((key) => damagedCaches.has(key))
}

async function stageRegistration({ registration }: HelperStageJob): Promise<StageRegistration> {
  const { url, token, tls, artifact, cache } = registration
  return {
    url,
    shortToken: shortToken(token),
    tls: await readTls(tls),
    artifact,
    ...(await cacheForHelper(cache)),
  }
}

async function readTls({ caFile, certFile, keyFile }: TlsFiles): Promise<StageRegistration['tls']> {
  return {
    ...(caFile ? { ca: await readFile(caFile, 'utf8') } : {}),
    ...(certFile ? { cert: await readFile(certFile, 'utf8') } : {}),
    ...(keyFile ? { key: await readFile(keyFile, 'utf8') } : {}),
  }
}

/** The helper does not have the role of the machine or the pod of the runner, but keys that end after some hours. */
async function cacheForHelper(
  cache: CacheSettings,
): Promise<Pick<StageRegistration, 'cache' | 'cacheProblem'>> {
  if (cache.kind !== 's3' || !('kind' in cache.s3.credentials)) return { cache }
  const temporary = new TemporaryCredentials(cache.s3.credentials, cache.s3.names)
  try {
    return { cache: { ...cache, s3: { ...cache.s3, credentials: await temporary.get() } } }
  } catch (error) {
    return { cache, cacheProblem: messageOf(error) }
  } finally {
    await temporary.close()
  }
}
