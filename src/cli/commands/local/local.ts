import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'

import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'
import { GitError } from '../../../git/errors.js'
import { logFormatter } from '../../../lib/log-format.js'
import { createLogger } from '../../../lib/logger.js'
import { type EventOptions, settingsOf } from '../../working-directory/local-event.js'
import { openOutside, type Outside } from '../../working-directory/outside/open-outside.js'
import { settingsFromServer } from '../../working-directory/outside/settings-from-server.js'
import { isUnborn, publishRefs, type Snapshot, takeSnapshot } from '../../working-directory/snapshot.js'
import { openWorkingDirectory, type WorkingDirectory } from '../../working-directory/working-directory.js'
import { absentSources } from './artifact-sources.js'
import { chooseJobs, type ChosenJob } from './choose-jobs.js'
import { type CompiledDirectory, compilePlan } from './compile-plan.js'
import { LocalUsageError } from './errors.js'
import { leftOut } from './left-out.js'
import { listJobs } from './list-jobs.js'
import { LocalDisplay } from './local-display.js'
import type { LocalOptions } from './local-options.js'
import { LocalRunner, openRunFolder } from './local-runner.js'
import { runChosen } from './run-chosen.js'
import { runSettings } from './run-settings.js'
import { catchStops, type StopRequests } from './stop-requests.js'
import { isFine, showSummary } from './summary.js'

/** ID of the requested pipeline. The IDs of child pipelines follow it. */
const PIPELINE_ID = 1

/** Options that belong to the pipeline of the working directory. */
const WITHOUT_FROM = ['file', 'list', 'needs', 'ref'] as const

/**
 * Runs the pipeline of the working directory, or lists its jobs. Returns the exit status: 1 for an invalid file and
 * for a failure, 130 if the run was interrupted. Throws `LocalUsageError` for an unknown job name.
 */
export async function local(names: readonly string[], options: LocalOptions): Promise<number> {
  if (options.from !== undefined) {
    const refused =
      names.length > 0 ? 'names of jobs' : WITHOUT_FROM.find((name) => options[name] !== undefined)
    if (refused !== undefined)
      throw new LocalUsageError(`--from runs one job of a server: leave out ${refused}`)
    const { runJobFrom } = await import('./from-job/run-job-from.js')
    return await runJobFrom(options.from, options)
  }
  const directory = await openWorkingDirectory(process.cwd())
  const outside = openOutside(directory, options)
  try {
    return await localIn({ directory, outside }, names, options)
  } finally {
    await outside.files.close()
  }
}

interface Opened {
  directory: WorkingDirectory
  outside: Outside
}

async function localIn(opened: Opened, names: readonly string[], options: LocalOptions): Promise<number> {
  if (options.list) return await list(opened, names, options)
  const stops = catchStops((line) => console.error(line))
  let isUnread = false
  // The output is no longer read, for example after `| head`, so the jobs are canceled. Each line causes this event
  // again.
  const onUnread = () => {
    if (!isUnread) stops.request()
    isUnread = true
  }
  process.stdout.on('error', onUnread)
  try {
    return await run(opened, names, options, stops)
  } catch (error) {
    // Ctrl-C in a terminal also ends a running git process.
    if (error instanceof GitError && stops.cancel.aborted) return EXIT_CODES.interrupted.code
    throw error
  } finally {
    process.stdout.off('error', onUnread)
    stops.release()
  }
}

async function list(
  { directory, outside }: Opened,
  names: readonly string[],
  options: LocalOptions,
): Promise<number> {
  const event = await eventOf(directory, outside, options)
  const compiled = await compilePlan(directory, outside.files, event, options.file)
  if (!compiled.plan) return compiled.exitCode
  const { plan, facts } = compiled
  const jobs =
    names.length === 0 ? plan.jobs : chosenFrom(compiled, names, options).map(({ planned }) => planned)
  console.log(`A ${options.source} to ${facts.ref} gives ${count(jobs.length, 'job')}:`)
  for (const line of listJobs({ ...plan, jobs })) console.log(line)
  return 0
}

async function run(
  { directory, outside }: Opened,
  names: readonly string[],
  options: LocalOptions,
  stops: StopRequests,
): Promise<number> {
  const logger = createLogger('switchyard', 'error', { format: logFormatter('runner') })
  const settings = runSettings(directory, options)
  const folder = await openRunFolder(settings, logger)
  try {
    const snapshot = await takeSnapshot(directory, folder)
    const seen = { ...directory, commit: snapshot.commit }
    const event = await eventOf(seen, outside, options)
    const compiled = await compilePlan(seen, outside.files, event, options.file)
    if (!compiled.plan) return compiled.exitCode
    const chosen = chosenFrom(compiled, names, options)
    await publishRefs(snapshot, directory, refsOf(compiled))
    const runner = new LocalRunner({ ...settings, repository: snapshot.gitDir }, folder, logger)
    return await runOn(runner, {
      directory,
      outside,
      event,
      snapshot,
      compiled,
      chosen,
      options,
      stops,
      folder,
      isWhole: names.length === 0,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Prepared extends Opened {
  event: Omit<EventOptions, 'configPath'>
  snapshot: Snapshot
  compiled: CompiledDirectory
  chosen: ChosenJob[]
  /** Whether no job was named. */
  isWhole: boolean
  options: LocalOptions
  stops: StopRequests
  folder: string
}

async function runOn(runner: LocalRunner, prepared: Prepared): Promise<number> {
  const { snapshot, compiled, chosen, options, stops, folder, event, outside } = prepared
  const display = displayFor(chosen, options)
  introduce(display, prepared)
  if (chosen.length === 0) return 0
  await runner.open()
  const startedAt = Date.now()
  const facts = {
    pipelineId: PIPELINE_ID,
    event: compiled.facts,
    snapshot,
    startedAt,
    variables: event.variables,
    settings: settingsOf(event),
    outside: outside.files,
    name: compiled.plan.name,
  }
  try {
    const { concurrency, artifacts } = options
    const keepArtifacts = artifacts === undefined ? undefined : resolve(artifacts)
    const { plan } = compiled
    const directory = { ...prepared.directory, commit: snapshot.commit }
    const ran = await runChosen({
      facts,
      plan,
      chosen,
      directory,
      runner,
      display,
      stops,
      folder,
      keepArtifacts,
      concurrency,
    })
    for (const { pipeline, ...about } of ran) showSummary(about.display, pipeline, about)
    if (stops.cancel.aborted) return EXIT_CODES.interrupted.code
    return ran.every(({ pipeline }) => isFine(pipeline)) ? 0 : EXIT_CODES.failed.code
  } finally {
    await runner.close()
  }
}

function displayFor(chosen: readonly ChosenJob[], { verbose = false }: LocalOptions): LocalDisplay {
  return new LocalDisplay({
    out: process.stdout,
    colour: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
    verbose,
    names: chosen.map(({ planned }) => planned.name),
  })
}

function introduce(
  display: LocalDisplay,
  { directory, snapshot, compiled, chosen, isWhole }: Prepared,
): void {
  const { facts, plan } = compiled
  const { commit } = directory
  const at = isUnborn(commit) ? '' : ` at ${commit.id.slice(0, 8)}`
  const changes = snapshot.commit.id === commit.id ? '' : ' with uncommitted changes'
  display.heading(`${facts.ref}${at}${changes}: ${count(chosen.length, 'job')}`)
  const jobs = isWhole ? plan.jobs : chosen.map(({ planned }) => planned)
  for (const sentence of leftOut(jobs)) display.printDimmed(`Left out: ${sentence}`)
  const absent = isWhole ? [] : absentSources(plan.jobs, jobs)
  if (absent.length > 0)
    display.printDimmed(`No artifacts of ${absent.join(', ')}: use --needs to run the jobs before`)
}

function chosenFrom(
  { plan }: CompiledDirectory,
  names: readonly string[],
  { needs = false }: LocalOptions,
): ChosenJob[] {
  return chooseJobs(plan.jobs, names, { withNeeds: needs })
}

async function eventOf(
  directory: WorkingDirectory,
  outside: Outside,
  options: LocalOptions,
): Promise<Omit<EventOptions, 'configPath'>> {
  const { ref, source, var: given, varFile, input: inputs, secret: secrets } = options
  const variables = new Map([...varFile, ...given])
  const event = { source, variables, inputs, secrets, ...(ref !== undefined && { ref }) }
  return { ...event, ...(await settingsFromServer(directory, outside, { ...options, variables })) }
}

/** The refs that the payload of a job requests. */
function refsOf({ facts: { ref, refType } }: CompiledDirectory): string[] {
  return [`refs/pipelines/${PIPELINE_ID}`, `refs/${refType === 'tag' ? 'tags' : 'heads'}/${ref}`]
}

function count(number: number, label: string): string {
  return `${number} ${label}${number === 1 ? '' : 's'}`
}
