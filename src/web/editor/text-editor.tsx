import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import type { Ref } from 'preact'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'preact/hooks'

import { boot } from '../api/boot.js'
import { classNames } from '../kit/class-names.js'
import { codeColors } from './code-colors.js'
import { editorTheme } from './editor-theme.js'
import { indentationOf } from './indentation.js'
import { loadSyntax } from './load-syntax.js'
import styles from './text-editor.module.css'

export interface EditorHandle {
  view: () => EditorView | undefined
  /** Puts the cursor at a position, in the middle of the editor; both count from 1. */
  show: (line: number, column?: number) => void
}

interface TextEditorProps {
  label: string
  /** The text. One that `onInput` has not reported replaces the content. */
  value: string
  onInput: (text: string) => void
  /** Name of the file, for its language. */
  path: string
  isReadOnly?: boolean
  /** An earlier text: what was added to it is marked, and what was removed is shown between the lines. */
  compareTo?: string | undefined
  /** More of the editor, as it is when the component is first rendered. */
  extensions?: readonly Extension[]
  handle?: Ref<EditorHandle>
  class?: string | undefined
}

/** An editor of a text file. */
export function TextEditor({
  label,
  value,
  onInput,
  path,
  isReadOnly = false,
  compareTo,
  extensions = [],
  handle,
  class: className,
}: TextEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const reported = useRef(value)
  const report = useRef(onInput)
  report.current = onInput
  const changes = useRef(new Compartment())
  const readOnly = useRef(new Compartment())

  useLayoutEffect(() => {
    const syntax = new Compartment()
    const editor = new EditorView({
      doc: value,
      parent: box.current as HTMLElement,
      extensions: [
        ...basicExtensions(value, label),
        readOnly.current.of([]),
        codeColors(path),
        syntax.of([]),
        changes.current.of([]),
        ...extensions,
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return
          reported.current = update.state.doc.toString()
          report.current(reported.current)
        }),
      ],
    })
    view.current = editor
    let isOpen = true
    void loadSyntax(path)?.then((extension) => {
      if (isOpen) editor.dispatch({ effects: syntax.reconfigure(extension) })
    })
    return () => {
      isOpen = false
      editor.destroy()
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- an editor keeps its file and extensions; the effects below change the rest
  }, [])

  useLayoutEffect(() => {
    view.current?.dispatch({ effects: readOnly.current.reconfigure(EditorState.readOnly.of(isReadOnly)) })
  }, [isReadOnly])

  useLayoutEffect(() => {
    const editor = view.current
    if (!editor || value === reported.current) return
    reported.current = value
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    const show = (extension: Extension) =>
      view.current?.dispatch({ effects: changes.current.reconfigure(extension) })
    if (compareTo === undefined) {
      show([])
      return undefined
    }
    let isCurrent = true
    void import('@codemirror/merge').then(({ unifiedMergeView }) => {
      if (isCurrent) show(unifiedMergeView({ original: compareTo, mergeControls: false }))
    })
    return () => {
      isCurrent = false
    }
  }, [compareTo])

  useImperativeHandle(
    handle ?? null,
    () => ({
      view: () => view.current,
      show: (number, column = 1) => {
        const editor = view.current
        if (!editor) return
        const line = editor.state.doc.line(Math.min(Math.max(1, number), editor.state.doc.lines))
        const anchor = Math.min(line.to, line.from + column - 1)
        editor.dispatch({
          selection: { anchor },
          effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
        })
        editor.focus()
      },
    }),
    [],
  )
  return <div ref={box} class={classNames(styles['editor'], className)} />
}

function basicExtensions(text: string, label: string): Extension[] {
  return [
    EditorView.cspNonce.of(boot.style_nonce),
    editorTheme,
    lineNumbers(),
    foldGutter(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    // Those that change the direction and that it does not know by itself.
    highlightSpecialChars({ addSpecialChars: /[\u202A-\u202C\u2068]/ }),
    history(),
    drawSelection(),
    dropCursor(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches(),
    search({ top: true }),
    EditorState.tabSize.of(4),
    indentUnit.of(indentationOf(text)),
    EditorView.contentAttributes.of({
      // Editable text takes the focus without it, which axe does not know.
      tabindex: '0',
      'aria-label': label,
      'aria-description': 'Press Escape, then Tab, to leave the editor.',
    }),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
  ]
}
