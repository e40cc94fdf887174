import type { RE2JS } from 're2js'

import type { PatternWork } from '../expressions/pattern-work.js'
import type { PipelineContext } from '../plan.js'

/** One item of `only` or `except`, ready to be compared (CI language, 7.7). */
export interface RefPattern {
  /** The text before the first `@`. */
  text: string
  /** The text after it: only pipelines of this project match. */
  projectPath?: string
  regex?: RE2JS
}

/** Undefined if the text is an invalid regular expression. */
export function parseRefPattern(written: string, patterns: PatternWork): RefPattern | undefined {
  const at = written.indexOf('@')
  const text = at < 0 ? written : written.slice(0, at)
  const regex = patterns.parse(text)
  if (regex === 'invalid') return undefined
  return { text, ...(at < 0 ? {} : { projectPath: written.slice(at + 1) }), ...(regex && { regex }) }
}

export function fitsRefPattern(pattern: RefPattern, context: PipelineContext): boolean {
  if (pattern.projectPath !== undefined && pattern.projectPath !== context.projectPath) return false
  return fitsSource(pattern.text, context.source) || (isForRef(context) && fitsRef(pattern, context))
}

/** The pipeline of a merge request, or a child of it, is for neither a branch nor a tag. */
function isForRef({ source, isForMergeRequest = false }: PipelineContext): boolean {
  return source !== 'merge_request_event' && !isForMergeRequest
}

/** The source in the singular or plural, without `_event`: `push` and `pushes`, `web`, `schedules`. */
function fitsSource(text: string, source: string): boolean {
  const name = source.replace(/_event$/, '')
  return text === name || text === (name.endsWith('h') ? `${name}es` : `${name}s`)
}

function fitsRef({ text, regex }: RefPattern, { ref, refType }: PipelineContext): boolean {
  if (regex) return regex.test(ref)
  return text === ref || text === (refType === 'branch' ? 'branches' : 'tags')
}
