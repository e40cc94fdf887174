import { FileCode } from 'lucide'

import { Empty } from '../kit/empty.js'
import styles from './shown-file.module.css'
import type { ShownKind } from './shown-kind.js'

interface ShownFileProps {
  kind: ShownKind
  /** Address at which the file is sent as it is. */
  src: string
  name: string
}

/** A picture, video, sound or PDF in place. */
export function ShownFile({ kind, src, name }: ShownFileProps) {
  if (kind === 'pdf') return <Pdf key={src} src={src} name={name} />
  return (
    <div class={styles['shown']}>
      {kind === 'image' && <img src={src} alt={name} />}
      {kind === 'video' && <video key={src} src={src} controls preload="metadata" aria-label={name} />}
      {kind === 'audio' && <audio key={src} src={src} controls preload="metadata" aria-label={name} />}
    </div>
  )
}

/** In the viewer of the browser, which keeps it apart from the page. Phones often have none. */
function Pdf({ src, name }: { src: string; name: string }) {
  if (!navigator.pdfViewerEnabled) {
    return (
      <Empty icon={FileCode} title="This browser shows no PDF inside a page.">
        Download it to see its content.
      </Empty>
    )
  }
  return <iframe class={styles['pdf']} src={src} title={name} />
}
