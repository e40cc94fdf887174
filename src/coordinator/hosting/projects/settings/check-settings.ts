import { RE2JS } from 're2js'

import type { User } from '../../../access/caller.js'
import { invalidRecord } from '../../../http/errors.js'
import { topicsOf } from './editable-columns.js'
import type { EditProject } from './parameters.js'

type Problems = Record<string, string[]>

const MAX_DESCRIPTION = 2000
const MAX_TOPIC = 255
const MAX_TOPICS = 100

/** Throws 400 for invalid settings (API, C1); names and paths have their own checks. */
export function checkSettings(params: EditProject, user: User): void {
  const problems: Problems = {
    ...problemOf('name', nameProblem(params.name)),
    ...problemOf('description', lengthProblem(params.description, MAX_DESCRIPTION)),
    ...problemOf('ci_config_path', configPathProblem(params.ci_config_path)),
    ...problemOf('build_coverage_regex', patternProblem(params.build_coverage_regex)),
    ...problemOf('topics', topicsProblem(params)),
    ...problemOf('mirror', params.mirror ? 'is set with PUT /projects/:id/mirror/pull' : undefined),
    ...problemOf('repository_storage', storageProblem(params, user)),
  }
  if (Object.keys(problems).length > 0) throw invalidRecord(problems)
}

function problemOf(name: string, problem: string | undefined): Problems {
  return problem === undefined ? {} : { [name]: [problem] }
}

/** Control characters and bidirectional formatting characters could make one name look like another. */
function nameProblem(name: string | undefined): string | undefined {
  const isReadable = name === undefined || !/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name)
  return isReadable ? undefined : 'can contain only visible characters and spaces'
}

function lengthProblem(text: string | null | undefined, most: number): string | undefined {
  return text && text.length > most ? `is too long (maximum is ${most} characters)` : undefined
}

function configPathProblem(path: string | null | undefined): string | undefined {
  const isInside = !path || !(path.startsWith('/') || path.split('/').includes('..'))
  return isInside ? undefined : "can't include leading slash or directory traversal."
}

/** The pattern runs on job logs, on an engine that takes linear time. */
function patternProblem(pattern: string | null | undefined): string | undefined {
  if (!pattern) return undefined
  try {
    RE2JS.compile(pattern)
    return undefined
  } catch {
    return 'not valid RE2 syntax'
  }
}

function topicsProblem(params: EditProject): string | undefined {
  const topics = topicsOf(params) ?? []
  if (topics.length > MAX_TOPICS) return `are too many (maximum is ${MAX_TOPICS})`
  if (topics.some((topic) => topic.length > MAX_TOPIC))
    return `is too long (maximum is ${MAX_TOPIC} characters)`
  return topics.some((topic) => /\p{Cc}/u.test(topic)) ? 'can contain only visible characters' : undefined
}

/** Only administrators may set the storage; for other users the parameter is ignored. */
function storageProblem({ repository_storage: storage }: EditProject, user: User): string | undefined {
  return user.is_admin && storage !== undefined && storage !== 'default'
    ? 'is not included in the list'
    : undefined
}
