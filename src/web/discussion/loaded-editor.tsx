import { useLoaded } from '../frame/use-loaded.js'
import styles from './loaded-editor.module.css'
import type { TextEditorProps } from './text-editor.js'

/** A `TextEditor` whose code is loaded when one appears: on most pages that is below the first rows, or when it is asked for. */
export function LoadedEditor(props: TextEditorProps) {
  const part = useLoaded(() => import('./text-editor.js'))
  return part ? <part.TextEditor {...props} /> : <div class={styles['room']} />
}
