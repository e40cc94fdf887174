import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import type { JobReproduction } from '../../../../coordinator/ci/jobs/reproduction/schema.js'
import { EXIT_CODES } from '../../../../error-catalogue/exit-codes.js'
import { logFormatter } from '../../../../lib/log-format.js'
import { createLogger } from '../../../../lib/logger.js'
import type { JobPayload } from '../../../../protocol/job-payload.js'
import { jobInUrl } from '../../../job-in-url.js'
import { openWorkingDirectory, type WorkingDirectory } from '../../../working-directory/working-directory.js'
import { LocalArtifacts } from '../local-artifacts.js'
import { LocalClient } from '../local-client.js'
import type { LocalOptions } from '../local-options.js'
import { LocalRunner, openRunFolder } from '../local-runner.js'
import { LogLines } from '../log-lines.js'
import { runSettings } from '../run-settings.js'
import { catchStops, type StopRequests } from '../stop-requests.js'
import { terminalPrompt } from './ask-secret.js'
import { completeVariables } from './complete-variables.js'
import { ReproductionError } from './errors.js'
import { fetchCommit } from './fetch-commit.js'
import { JobServer } from './job-server.js'
import { localPayload } from './local-payload.js'

/**
 * Runs a job of a server on this machine: `address` is that of its page. Returns the exit status: 0 if it succeeded, 130 if
 * it was interrupted. Throws `ReproductionError`, and `JobAddressError` for another address.
 */
export async function runJobFrom(address: string, options: LocalOptions): Promise<number> {
  const { token = process.env['SWITCHYARD_TOKEN'] ?? '' } = options
  if (token === '')
    throw new ReproductionError('A token is missing: give it with --token or SWITCHYARD_TOKEN')
  const server = new JobServer(jobInUrl(address), token)
  const reproduction = await server.readReproduction()
  const { withheld, payload: sent } = reproduction
  const given = { variables: new Map([...options.varFile, ...options.var]), secrets: options.secret }
  const { variables, leftOut } = await completeVariables(sent.variables, withheld, given, terminalPrompt())
  const { payload, remarks } = localPayload(reproduction, variables)
  const { job_info: job, git_info: git } = payload
  say(
    `Job ${job.id ?? ''} "${job.name}" of ${job.project_full_path ?? job.project_name} at ${git.sha.slice(0, 8)}`,
  )
  for (const remark of remarks) say(remark)
  if (leftOut.length > 0) say(`Left out, give them with --var or --secret: ${leftOut.join(', ')}`)
  const stops = catchStops(say)
  try {
    return await runHere(server, { ...reproduction, payload }, options, stops)
  } finally {
    stops.release()
  }
}

async function runHere(
  server: JobServer,
  { payload, sources }: JobReproduction,
  options: LocalOptions,
  stops: StopRequests,
): Promise<number> {
  const logger = createLogger('switchyard', 'error', { format: logFormatter('runner') })
  const directory = await openWorkingDirectory(process.cwd())
  const settings = runSettings(directory, options)
  const folder = await openRunFolder(settings, logger)
  try {
    const gitDir = await sourcesOf(payload, directory, folder, server)
    const artifacts = await openArtifacts(folder, options)
    await downloadDependencies(server, payload, sources, { artifacts, folder })
    const runner = new LocalRunner({ ...settings, repository: gitDir }, folder, logger)
    await runner.open()
    try {
      return await perform(runner, payload, { artifacts, server, stops }, options)
    } finally {
      await runner.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function sourcesOf(
  { git_info: git }: JobPayload,
  directory: WorkingDirectory,
  folder: string,
  server: JobServer,
): Promise<string> {
  const { gitDir, isLocal } = await fetchCommit(git, directory, folder, server.token)
  if (!isLocal) say('The commit comes from the server, because the clone here does not have it')
  return gitDir
}

async function openArtifacts(folder: string, { artifacts }: LocalOptions): Promise<LocalArtifacts> {
  const path = join(folder, 'artifacts')
  await mkdir(path)
  return new LocalArtifacts(path, artifacts === undefined ? undefined : resolve(artifacts))
}

async function downloadDependencies(
  server: JobServer,
  { dependencies }: JobPayload,
  sources: JobReproduction['sources'],
  { artifacts, folder }: { artifacts: LocalArtifacts; folder: string },
): Promise<void> {
  for (const { id, name, artifacts_file: file } of dependencies ?? []) {
    const source = sources.find((one) => one.id === id)
    if (!file || !source) continue
    const path = join(folder, `dependency-${id}`)
    const problem = await server.downloadArchive(source.project_id, id, path)
    if (problem === undefined) artifacts.add(id, { ...file, path })
    else say(`No artifacts of "${name}": ${problem}`)
  }
}

async function perform(
  runner: LocalRunner,
  payload: JobPayload,
  { artifacts, server, stops }: { artifacts: LocalArtifacts; server: JobServer; stops: StopRequests },
  { verbose = false }: LocalOptions,
): Promise<number> {
  const colour = process.stdout.isTTY && process.env['NO_COLOR'] === undefined
  const lines = new LogLines({ colour, verbose })
  const show = (line: string) => process.stdout.write(`${line}\n`)
  const { id, job_info: job } = payload
  const caches = server.openCaches()
  const client = new LocalClient({
    job: { id, name: job.name },
    artifacts,
    showLog: (bytes) => lines.push(bytes).forEach(show),
    cancel: stops.cancel,
    server: caches,
  })
  const signals = { shutdown: stops.shutdown, exit: new AbortController().signal }
  try {
    await runner.perform(payload, client, signals)
  } finally {
    await caches.close()
  }
  lines.end().forEach(show)
  return stops.cancel.aborted ? EXIT_CODES.interrupted.code : sayEnd(client)
}

/** Returns the exit status. */
function sayEnd({ end }: LocalClient): number {
  if (end?.status === 'success') {
    say('The job succeeds here')
    return 0
  }
  const code = end?.status === 'failed' && end.exit_code !== undefined ? `, exit code ${end.exit_code}` : ''
  const reason = end?.status === 'failed' ? end.failure_reason.replaceAll('_', ' ') : 'no result'
  say(`The job fails here: ${reason}${code}`)
  return EXIT_CODES.failed.code
}

function say(line: string): void {
  console.error(`switchyard: ${line}`)
}
