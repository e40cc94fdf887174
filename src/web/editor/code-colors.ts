import { type Extension, RangeSetBuilder, StateEffect } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  type PluginValue,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'

import { highlightText } from '../code/highlight-text.js'
import { type CodePiece, languageOf } from '../code/highlight.js'
import pieces from '../code/pieces.module.css'

/** Milliseconds after a change until colors are found again; until then, the old ones move with the text. */
const DELAY = 120

const found = StateEffect.define<CodePiece[][]>()
const marks = new Map<string, Decoration>()

/** Colors a text by the language of its file name, as the page of the file does. */
export function codeColors(path: string): Extension {
  const language = languageOf(path)
  if (language === undefined) return []
  return ViewPlugin.define((view) => new Colors(view, language), { decorations: ({ shown }) => shown })
}

class Colors implements PluginValue {
  shown: DecorationSet = Decoration.none
  /** The lines of the present text; undefined while they are not known. */
  private lines: CodePiece[][] | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private abort = new AbortController()

  constructor(
    private readonly view: EditorView,
    private readonly language: string,
  ) {
    this.find(0)
  }

  update(update: ViewUpdate): void {
    for (const { effects } of update.transactions) {
      for (const effect of effects) if (effect.is(found)) this.lines = effect.value
    }
    if (update.docChanged) {
      this.lines = undefined
      this.shown = this.shown.map(update.changes)
      this.find(DELAY)
    } else if (this.lines) {
      this.shown = marksOf(update.view, this.lines)
    }
  }

  destroy(): void {
    clearTimeout(this.timer)
    this.abort.abort()
  }

  private find(delay: number): void {
    clearTimeout(this.timer)
    this.abort.abort()
    const abort = new AbortController()
    this.abort = abort
    this.timer = setTimeout(() => {
      void highlightText(this.language, this.view.state.doc.toString(), abort.signal).then((lines) => {
        if (lines && !abort.signal.aborted) this.view.dispatch({ effects: found.of(lines) })
      })
    }, delay)
  }
}

/** The colors of the lines in sight. */
function marksOf(
  { state: { doc }, visibleRanges }: EditorView,
  lines: readonly CodePiece[][],
): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges) {
    const last = doc.lineAt(to).number
    for (let number = doc.lineAt(from).number; number <= last; number += 1) {
      let position = doc.line(number).from
      for (const [text, kind] of lines[number - 1] ?? []) {
        if (kind !== undefined) builder.add(position, position + text.length, markOf(kind))
        position += text.length
      }
    }
  }
  return builder.finish()
}

function markOf(kind: string): Decoration {
  let mark = marks.get(kind)
  if (!mark) {
    mark = Decoration.mark({ class: pieces[kind] ?? '' })
    marks.set(kind, mark)
  }
  return mark
}
