import { useEffect, useState } from 'preact/hooks'

/** How a row of the list of pipelines is laid out. */
export interface RowLayout {
  /** Height in pixels, the same as in the style sheet. */
  height: number
  /** Marks of stages for which there is room. */
  stageMarks: number
}

const ONE_LINE = 60
const THREE_LINES = 116

/** From the narrowest windows on; the first that matches. */
const LAYOUTS: readonly (readonly [MediaQueryList, RowLayout])[] = [
  [window.matchMedia('(width < 480px)'), { height: THREE_LINES, stageMarks: 5 }],
  [window.matchMedia('(width < 1100px)'), { height: THREE_LINES, stageMarks: 10 }],
  [window.matchMedia('(width < 1280px)'), { height: ONE_LINE, stageMarks: 4 }],
]
const WIDE: RowLayout = { height: ONE_LINE, stageMarks: 10 }

const currentLayout = () => LAYOUTS.find(([query]) => query.matches)?.[1] ?? WIDE

/** The layout of the rows in a window of this width. */
export function useRowLayout(): RowLayout {
  const [layout, setLayout] = useState(currentLayout)
  useEffect(() => {
    const onChange = () => setLayout(currentLayout())
    for (const [query] of LAYOUTS) query.addEventListener('change', onChange)
    return () => {
      for (const [query] of LAYOUTS) query.removeEventListener('change', onChange)
    }
  }, [])
  return layout
}
