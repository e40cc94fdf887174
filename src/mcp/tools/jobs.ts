import { Type } from 'typebox'

import { isRecord } from '../../lib/is-record.js'
import { JobId, Project, type Tool, tool } from '../tool.js'
import { elements, pick } from './pick.js'

/** Lines of a log that one call returns, unless it asks for another number. */
const LINES = 100
const MAX_LINES = 400
const MAX_HITS = 50

/** Tools about jobs: their failures, logs and tests, and how to run one again. */
export const jobTools: Tool[] = [
  tool({
    name: 'job_failure',
    title: 'Say why a job failed',
    description:
      'The cause of the failure of one job: the line of the script that failed, what the log says around it, failed tests, the first pipeline in which it failed and the commits since the last that passed, and whether it is flaky.',
    routes: ['GET /projects/:id/jobs/:job_id/failure'],
    input: { project: Project, job: JobId },
    run: (api, { project: id, job: job_id }) =>
      api.call('GET /projects/:id/jobs/:job_id/failure', { id, job_id }),
  }),
  tool({
    name: 'log_lines',
    title: 'Read a part of a log',
    description: 'Lines of the log of a job with their numbers.',
    routes: ['GET /projects/:id/jobs/:job_id/trace/lines'],
    input: {
      project: Project,
      job: JobId,
      from: Type.Optional(
        Type.Integer({
          description: 'First line, from 1; a negative number counts from the end. -100 by default.',
        }),
      ),
      count: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_LINES,
          description: `Number of lines, at most ${MAX_LINES}; ${LINES} by default.`,
        }),
      ),
    },
    run: async (api, { project: id, job: job_id, from = -LINES, count = LINES }) => {
      const window = await api.call('GET /projects/:id/jobs/:job_id/trace/lines', { id, job_id, from, count })
      const { lines, from: first, total } = isRecord(window) ? window : {}
      const numbered = elements(lines).map(
        (line, index) => `${Number(first) + index} ${withoutStyles(String(line))}`,
      )
      return [`${String(total)} lines in all`, ...numbered].join('\n')
    },
  }),
  tool({
    name: 'search_log',
    title: 'Search a log',
    description: `The lines of the log of a job that contain a text, with their numbers; the first ${MAX_HITS}.`,
    routes: ['GET /projects/:id/jobs/:job_id/trace/search'],
    input: {
      project: Project,
      job: JobId,
      text: Type.String({ minLength: 1, maxLength: 1000, description: 'Text to search for, in any case.' }),
      regexp: Type.Optional(
        Type.Boolean({ description: 'Whether the text is a regular expression in RE2 syntax.' }),
      ),
    },
    run: async (api, { project: id, job: job_id, text: q, regexp }) => {
      const found = await api.text('GET /projects/:id/jobs/:job_id/trace/search', { id, job_id, q, regexp })
      const events = found.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
      const hits = events.filter((event) => isRecord(event) && 'line' in event)
      return { hits: hits.slice(0, MAX_HITS), more: Math.max(0, hits.length - MAX_HITS) }
    },
  }),
  tool({
    name: 'retry_job',
    title: 'Run a job again',
    description: 'Runs a job that has ended again. Returns the new job.',
    changes: true,
    routes: ['POST /projects/:id/jobs/:job_id/retry'],
    input: { project: Project, job: JobId },
    run: async (api, { project: id, job: job_id }) =>
      pick(await api.call('POST /projects/:id/jobs/:job_id/retry', { id, job_id }), [
        'id',
        'name',
        'status',
        'web_url',
      ]),
  }),
  tool({
    name: 'test_history',
    title: 'Read the history of tests',
    description:
      'Tests that failed in the last 90 days, with how often and whether they were flaky; with a digest, all runs of that test.',
    routes: ['GET /projects/:id/test_cases', 'GET /projects/:id/test_cases/:digest'],
    input: {
      project: Project,
      search: Type.Optional(
        Type.String({ description: 'Only tests whose name, class or file contains this text.' }),
      ),
      branch: Type.Optional(Type.String({ description: 'Only failures on this branch.' })),
      digest: Type.Optional(Type.String({ description: 'Digest of one test, as failures name it.' })),
    },
    run: (api, { project: id, search, branch, digest }) =>
      digest === undefined
        ? api.call('GET /projects/:id/test_cases', { id, search, branch, per_page: 20 })
        : api.call('GET /projects/:id/test_cases/:digest', { id, digest, branch }),
  }),
]

/** Escape sequences say nothing to a program. */
function withoutStyles(line: string): string {
  // oxlint-disable-next-line no-control-regex -- that of an escape sequence
  return line.replace(/\u001B(?:\[[0-9;:]*[A-Za-z]|\][^\u0007\u001B]*(?:\u0007|\u001B\\))/g, '')
}
