import { isPlain } from './is-plain.js'
import { useMarks } from './use-marks.js'

/** A text whose invisible characters are marked. */
export function MarkedText({ text }: { text: string }) {
  return isPlain(text) ? <>{text}</> : <Marked text={text} />
}

function Marked({ text }: { text: string }) {
  const marks = useMarks(true)
  return marks ? <marks.Marks text={text} /> : <>{text}</>
}
