import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete'
import { type Diagnostic, lintGutter } from '@codemirror/lint'
import type { Extension, Text } from '@codemirror/state'
import { hoverTooltip } from '@codemirror/view'

import type { CiKeywords, LintProblem } from '../../../coordinator/ci/lint/schema.js'
import { keywordAt, proposalsAt } from './keyword-help.js'
import { variablesAt } from './variable-names.js'
import { findYamlPosition, namesInFile, withJobs } from './yaml-position.js'

/** Lines above the cursor that tell where it is; a job is not longer. */
const MAX_LINES = 3000

/** What is known beside the text. */
export interface KnownCi {
  /** Undefined until they have been read. */
  maps: CiKeywords['maps'] | undefined
  /** The jobs of the file and of what it includes, when it was checked last. */
  jobs: readonly { name: string; stage: string }[]
}

/** What an editor of CI files has beyond that of other files: completion, and help on keywords. */
export function ciExtensions(knownNow: () => KnownCi): Extension[] {
  return [
    lintGutter(),
    autocompletion({ override: [(context) => complete(knownNow(), context)], icons: false }),
    hoverTooltip((view, position) => {
      const line = view.state.doc.lineAt(position)
      const word = /^\s*(?:- +)*([\w.-]+)\s*:/.exec(line.text)
      const key = word?.[1]
      if (key === undefined || position > line.from + (word?.[0].length ?? 0)) return null
      const { path } = findYamlPosition([
        ...linesBefore(view.state.doc, line.from),
        line.text.slice(0, line.text.indexOf(key)),
      ])
      const found = keywordAt(knownNow().maps ?? {}, path, key)
      if (!found || (found.name === '*' && path.length === 0)) return null
      return {
        pos: line.from + line.text.indexOf(key),
        above: true,
        create: () => ({ dom: renderHelp(key, found.about) }),
      }
    }),
  ]
}

function renderHelp(key: string, about: string): HTMLElement {
  const box = document.createElement('div')
  box.className = 'cm-diagnostic'
  const name = document.createElement('strong')
  name.textContent = key
  box.append(name, ` ${about}`)
  return box
}

function complete(
  { maps, jobs }: KnownCi,
  { state: { doc }, pos, explicit }: CompletionContext,
): CompletionResult | null {
  const line = doc.lineAt(pos)
  const variables = variablesAt(line.text.slice(0, pos - line.from), doc.toString())
  if (variables) {
    return { from: pos - variables.word.length, options: variables.proposals, validFor: /^\w*$/ }
  }
  const position = findYamlPosition([...linesBefore(doc, line.from), line.text.slice(0, pos - line.from)])
  if (!maps || (!explicit && position.isKey && position.word === '')) return null
  const options = proposalsAt(maps, position, withJobs(namesInFile(doc.toString()), jobs)).map(
    ({ label, info, text }) => ({
      label,
      ...(info !== undefined && { info }),
      ...(text !== undefined && {
        // What follows a key is proposed at once.
        apply: (
          view: Parameters<typeof startCompletion>[0],
          _completion: unknown,
          from: number,
          to: number,
        ) => {
          const isWritten = view.state.sliceDoc(to, to + 1) === ':'
          const insert = isWritten ? label : text
          view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } })
          if (!isWritten && text.endsWith(' ')) startCompletion(view)
        },
      }),
    }),
  )
  return options.length === 0 ? null : { from: pos - position.word.length, options, validFor: /^[\w.:-]*$/ }
}

function linesBefore(doc: Text, position: number): string[] {
  const last = doc.lineAt(position).number
  return Array.from(
    { length: Math.min(last - 1, MAX_LINES) },
    (_, index) => doc.line(Math.max(1, last - MAX_LINES) + index).text,
  )
}

/** Problems of this file as marks of the editor: each to the end of its word. */
export function diagnosticsOf(doc: Text, problems: readonly LintProblem[], file: string): Diagnostic[] {
  return problems.flatMap(({ file: of, line: number, column, message, severity }): Diagnostic[] => {
    if (of !== file || number === null || number > doc.lines) return []
    const line = doc.line(number)
    const from = Math.min(line.to, line.from + (column ?? 1) - 1)
    const word = /^[\w.$-]+|^\S+/.exec(doc.sliceString(from, line.to))?.[0].length ?? 0
    return [{ from, to: Math.min(line.to, from + Math.max(1, word)), severity, message }]
  })
}
