import type { Problem } from '../errors.js'
import { didYouMean, type Suggestion } from '../suggestion.js'
import { type ConfigMap, type ConfigValue, isMap, isPresent } from '../yaml/config-value.js'
import { defaultShape } from './defaults.js'
import { type JobEntry, jobShape, readJob } from './job.js'
import { Location } from './location.js'
import { readTriggerJob } from './trigger-job.js'

/**
 * Reads all jobs in the order of the file, without hidden ones (CI language, 3.0). `keywords` are those of the top level.
 */
export function readJobs(written: ConfigMap, problems: Problem[], keywords: ReadonlySet<string>): JobEntry[] {
  const location = Location.jobs(problems)
  const before = location.problemCount()
  refuseShapes(written, location, keywords)
  if (location.problemCount() > before) return []
  const jobs = [...written].filter(([name]) => !isHidden(name))
  return jobs.flatMap(([name, value]) => readVisibleJob(name, value, location.child(name)) ?? [])
}

/** Problems of the job list are reported before problems inside a job. */
function refuseShapes(written: ConfigMap, location: Location, keywords: ReadonlySet<string>): void {
  const names = [...written.keys()]
  if (!names.some((name) => !isHidden(name))) location.refuse('should contain at least one visible job')
  for (const [name, value] of written) {
    if (isHidden(name)) {
      if (!isPresent(value)) location.child(name).refuse("can't be blank")
    } else if (!isJob(value) && !isTriggerJob(value)) {
      location
        .suggesting(meant(name, value, keywords))
        .refuseKind(`${shownName(name)} config should implement the script:, run:, or trigger: keyword`, name)
    }
  }
}

/** All jobs, including those that start other pipelines. */
const JOB_KEYWORDS = [
  ...Object.keys(jobShape.children),
  ...Object.keys(jobShape.attributes),
  ...jobShape.refused,
]

/** The likely meaning of a top-level key that is not a job: a keyword, or a job whose script is misspelled. */
function meant(name: string, value: ConfigValue, keywords: ReadonlySet<string>): Suggestion {
  const unknown = isMap(value) ? [...value.keys()].filter((key) => !JOB_KEYWORDS.includes(key)) : []
  const misspelled = didYouMean({ words: unknown, among: JOB_KEYWORDS })
  if (misspelled !== undefined) return { words: unknown, among: JOB_KEYWORDS, hint: misspelled }
  const isDefault = name in defaultShape.children
  if (!isDefault && !(name in jobShape.children) && !(name in jobShape.attributes)) {
    return { words: [name], among: keywords }
  }
  const where = isDefault ? 'a job, or in `default`' : 'a job'
  const near = didYouMean({ words: [name], among: keywords })
  const hint = near ?? `\`${name}\` at the top level is read as a job. Write it in ${where}.`
  return { words: [name], among: keywords, hint }
}

function readVisibleJob(name: string, value: ConfigValue, location: Location): JobEntry | null {
  if (isJob(value)) return readJob(name, value, location)
  return isMap(value) ? readTriggerJob(name, value, location) : null
}

/** Whether a value could be a job, whatever its key (CI language, 2.1). */
export function looksLikeJob(value: ConfigValue | undefined): boolean {
  return isJob(value) || isTriggerJob(value)
}

function isJob(value: ConfigValue | undefined): value is ConfigMap {
  return isMap(value) && (value.has('script') || value.has('run'))
}

function isTriggerJob(value: ConfigValue | undefined): boolean {
  return isMap(value) && (value.has('trigger') || value.has('needs'))
}

function isHidden(name: string): boolean {
  return name.startsWith('.')
}

/** A quirk of this one message (CI language, 1.3). */
function shownName(name: string): string {
  return /^[a-z\s]+$/i.test(name) ? name.replaceAll(/\s/g, '_') : name
}
