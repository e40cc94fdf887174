import { useEffect, useState } from 'preact/hooks'

import { highlightText } from './highlight-text.js'
import type { CodePiece } from './highlight.js'
import { languageOf } from './highlight.js'

/** The colored lines of a text. Undefined until a worker has found them, and for texts without a known language. */
export function useHighlight(path: string, text: string | undefined): readonly CodePiece[][] | undefined {
  const [result, setResult] = useState<{ text: string; lines: CodePiece[][] }>()
  const language = languageOf(path)
  useEffect(() => {
    if (text === undefined || language === undefined) return undefined
    const abort = new AbortController()
    void highlightText(language, text, abort.signal).then((lines) => {
      if (lines) setResult({ text, lines })
    })
    return () => abort.abort()
  }, [language, text])
  return result?.text === text ? result?.lines : undefined
}
