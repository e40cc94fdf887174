import { Maximize2, ZoomIn, ZoomOut } from 'lucide'
import { useState } from 'preact/hooks'

import { usePreferences } from '../frame/use-preferences.js'
import { Button, IconButton } from '../kit/button.js'
import { useKeys } from '../kit/keys.js'
import styles from './graph-zoom.module.css'
import { fitScale, nextScale, SCALES } from './zoom-scales.js'
import type { GraphZoom } from './zoomed-scroll.js'

/** The size of the graph that the reader has chosen on this device, with its keys. */
export function useGraphZoom(): GraphZoom {
  const [{ graphZoom }, change] = usePreferences()
  const [fitted, setFitted] = useState(1)
  const isFit = graphZoom === 'fit'
  const scale = isFit ? fitted : graphZoom
  const step = (direction: 1 | -1) => change({ graphZoom: nextScale(scale, direction) })
  const fit = () => change({ graphZoom: 'fit' })
  const reset = () => change({ graphZoom: 1 })
  useKeys({ '+': () => step(1), '=': () => step(1), '-': () => step(-1), '0': fit, '1': reset })
  return { scale, isFit, step, fit, reset, measure: (box, graph) => setFitted(fitScale(box, graph)) }
}

/** The buttons that change the size of a graph. */
export function ZoomButtons({ zoom: { scale, isFit, step, fit, reset } }: { zoom: GraphZoom }) {
  return (
    <div class={styles['zoom']} role="group" aria-label="Size of the graph">
      <IconButton
        size="small"
        icon={ZoomOut}
        label="Zoom out (−)"
        disabled={scale <= (SCALES[0] ?? 1)}
        onClick={() => step(-1)}
      />
      <Button size="small" kind="ghost" title="Original size (1)" onClick={reset}>
        {Math.round(scale * 100)} %
      </Button>
      <IconButton
        size="small"
        icon={ZoomIn}
        label="Zoom in (+)"
        disabled={scale >= (SCALES.at(-1) ?? 1)}
        onClick={() => step(1)}
      />
      <IconButton
        size="small"
        icon={Maximize2}
        label="Fit the width (0)"
        aria-pressed={isFit}
        onClick={fit}
      />
    </div>
  )
}
